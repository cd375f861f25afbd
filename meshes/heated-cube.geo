// Unit cube between a hot side, x = 0, and a cold one, x = 1. lc: edge length in the middle [m]; half of it at these
// two sides.
DefineConstant[ lc = 0.1 ];

Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1, 1, 0};
Point(4) = {0, 1, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

// sweep[0]: side z = 1, sweep[1]: the volume, sweep[2..5]: the sides swept by lines 1..4 (y = 0, x = 1, y = 1, x = 0)
sweep[] = Extrude {0, 0, 1} { Surface{1}; };

Field[1] = MathEval;
Field[1].F = Sprintf("%g * (1/2 + 1/2 * (1 - exp(-((0.5 - abs(x - 0.5)) / 0.15))))", lc);
Background Field = 1;
Mesh.CharacteristicLengthFromPoints = 0;
Mesh.CharacteristicLengthExtendFromBoundary = 0;

Physical Surface("hot") = {sweep[5]};
Physical Surface("cold") = {sweep[3]};
Physical Surface("insulated") = {1, sweep[0], sweep[2], sweep[4]};
Physical Volume("fluid") = {sweep[1]};

Mesh.Algorithm = 6;
