// Channel between walls at y = 0 and 2, 6 m long and 3 m wide, with the same triangles on opposite sides, for periodic
// pairs. lc: edge length [m].
DefineConstant[ lc = 0.2 ];
length = 6;
width = 3;

Point(1) = {0, 0, 0, lc};
Point(2) = {length, 0, 0, lc};
Point(3) = {length, 2, 0, lc};
Point(4) = {0, 2, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 3};
Line(4) = {1, 4};
Curve Loop(1) = {1, 2, -3, -4};
Plane Surface(1) = {1};

// sweep[0]: side z = width, sweep[1]: the volume, sweep[2..5]: sides swept by lines 1..4
sweep[] = Extrude {0, 0, width} { Surface{1}; };

Periodic Surface {sweep[0]} = {1} Translate {0, 0, width};
Periodic Surface {sweep[3]} = {sweep[5]} Translate {length, 0, 0};

Physical Surface("left") = {sweep[5]};
Physical Surface("right") = {sweep[3]};
Physical Surface("wall") = {sweep[2], sweep[4]};
Physical Surface("back") = {1};
Physical Surface("front") = {sweep[0]};
Physical Volume("fluid") = {sweep[1]};

Mesh.Algorithm = 6;
