// Unit square between a hot side, x = 0, and a cold one, x = 1. lc: edge length in the middle [m]; a third of it at
// these two sides.
DefineConstant[ lc = 0.05 ];

Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1, 1, 0};
Point(4) = {0, 1, 0};
Line(1) = {1, 2};  // bottom
Line(2) = {2, 3};  // right
Line(3) = {3, 4};  // top
Line(4) = {4, 1};  // left
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

Field[1] = MathEval;
Field[1].F = Sprintf("%g * (1/3 + 2/3 * (1 - exp(-((0.5 - abs(x - 0.5)) / 0.1))))", lc);
Background Field = 1;
Mesh.CharacteristicLengthFromPoints = 0;
Mesh.CharacteristicLengthExtendFromBoundary = 0;

Physical Curve("hot") = {4};
Physical Curve("cold") = {2};
Physical Curve("insulated") = {1, 3};
Physical Surface("fluid") = {1};

Mesh.Algorithm = 6;
