// Cylinder, diameter 1 m, in a stream from left to right, practically unconfined: sides at 40 m, outlet at 60 m.
// lc: edge length [m] on the cylinder; it grows to about 60 times that far away.
DefineConstant[ lc = 0.06 ];

far = 60*lc;
Point(1) = {-40, -40, 0, far};
Point(2) = {60, -40, 0, far};
Point(3) = {60, 40, 0, far};
Point(4) = {-40, 40, 0, far};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};

Point(5) = {0, 0, 0, lc};
Point(6) = {0.5, 0, 0, lc};
Point(7) = {0, 0.5, 0, lc};
Point(8) = {-0.5, 0, 0, lc};
Point(9) = {0, -0.5, 0, lc};
Circle(5) = {6, 5, 7};
Circle(6) = {7, 5, 8};
Circle(7) = {8, 5, 9};
Circle(8) = {9, 5, 6};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 6, 7, 8};
Plane Surface(1) = {1, 2};

// The edge length grows by 1.6 lc per metre away from the cylinder, in the wake by 0.7 lc per metre along x.
Field[1] = MathEval;
Field[1].F = Sprintf("%g * (1 + 1.6 * max(0, sqrt(x^2 + y^2) - 0.5))", lc);
Field[2] = MathEval;
Field[2].F = Sprintf("%g * (1 + 0.35 * max(0, x)) + 10 * max(0, abs(y) - 1 - 0.06 * max(0, x)) + 100 * max(0, -x)", 2*lc);
Field[3] = Min;
Field[3].FieldsList = {1, 2};
Background Field = 3;
Mesh.CharacteristicLengthFromPoints = 0;
Mesh.CharacteristicLengthExtendFromBoundary = 0;

Physical Curve("inlet") = {4};
Physical Curve("outlet") = {2};
Physical Curve("side") = {1, 3};
Physical Curve("cylinder") = {5, 6, 7, 8};
Physical Surface("fluid") = {1};

Mesh.Algorithm = 6;
