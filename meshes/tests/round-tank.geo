// The tank of stirred-tank.geo without baffles.
baffles = 0;
Include "../stirred-tank.geo";
