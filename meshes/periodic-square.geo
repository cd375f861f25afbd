// Unit square with the same nodes on opposite sides, for periodic pairs. lc: edge length [m]; algorithm: 6
// Frontal-Delaunay, 5 Delaunay.
DefineConstant[ lc = 0.05 ];
DefineConstant[ algorithm = 6 ];

Point(1) = {0, 0, 0, lc};
Point(2) = {1, 0, 0, lc};
Point(3) = {1, 1, 0, lc};
Point(4) = {0, 1, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 3};
Line(4) = {1, 4};
Curve Loop(1) = {1, 2, -3, -4};
Plane Surface(1) = {1};

Periodic Curve {2} = {4} Translate {1, 0, 0};
Periodic Curve {3} = {1} Translate {0, 1, 0};

Physical Curve("bottom") = {1};
Physical Curve("right") = {2};
Physical Curve("top") = {3};
Physical Curve("left") = {4};
Physical Surface("fluid") = {1};

Mesh.Algorithm = algorithm;
