// Unit square of fluid between a wall 0.2 m thick, x < 0, and a cold side, x = 1. The outside of the wall is hot.
// lc: edge length in the middle [m]; a third of it at the wall and at the cold side.
DefineConstant[ lc = 0.05 ];

Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1, 1, 0};
Point(4) = {0, 1, 0};
Point(5) = {-0.2, 0, 0};
Point(6) = {-0.2, 1, 0};
Line(1) = {1, 2};  // bottom
Line(2) = {2, 3};  // right
Line(3) = {3, 4};  // top
Line(4) = {4, 1};  // between fluid and wall, inside the mesh and in no physical group
Line(5) = {5, 1};
Line(6) = {4, 6};
Line(7) = {6, 5};  // outside of the wall
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Curve Loop(2) = {5, -4, 6, 7};
Plane Surface(2) = {2};

Field[1] = MathEval;
Field[1].F = Sprintf("%g * (1/3 + 2/3 * (1 - exp(-((0.5 - abs(abs(x) - 0.5)) / 0.1))))", lc);
Background Field = 1;
Mesh.CharacteristicLengthFromPoints = 0;
Mesh.CharacteristicLengthExtendFromBoundary = 0;

Physical Curve("hot") = {7};
Physical Curve("cold") = {2};
Physical Curve("insulated") = {1, 3, 5, 6};
Physical Surface("fluid") = {1};
Physical Surface("wall") = {2};

Mesh.Algorithm = 6;
