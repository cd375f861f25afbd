// Unit square with one patch for all sides. lc: edge length [m]; algorithm: 6 Frontal-Delaunay, 5 Delaunay.
DefineConstant[ lc = 0.05 ];
DefineConstant[ algorithm = 6 ];

Point(1) = {0, 0, 0, lc};
Point(2) = {1, 0, 0, lc};
Point(3) = {1, 1, 0, lc};
Point(4) = {0, 1, 0, lc};
Line(1) = {1, 2};  // bottom
Line(2) = {2, 3};  // right
Line(3) = {3, 4};  // top
Line(4) = {4, 1};  // left
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

Physical Curve("wall") = {1, 2, 3, 4};
Physical Surface("fluid") = {1};

Mesh.Algorithm = algorithm;
