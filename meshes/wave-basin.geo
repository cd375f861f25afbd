// The wave basin of Berkhoff, Booij & Radder 1982, waves from left to right; the origin is the centre of the shoal.
// lc: edge length [m].
DefineConstant[ lc = 0.08 ];

Point(1) = {-10, -10, 0, lc};
Point(2) = {12, -10, 0, lc};
Point(3) = {12, 10, 0, lc};
Point(4) = {-10, 10, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

Physical Curve("maker") = {4};
Physical Curve("beach") = {2};
Physical Curve("walls") = {1, 3};
Physical Surface("water") = {1};

Mesh.Algorithm = 6;
