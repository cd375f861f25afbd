// Disc of radius 1 m. lc: edge length [m]; algorithm: 6 Frontal-Delaunay, 5 Delaunay. The circle becomes a polygon
// with corners on the circle.
DefineConstant[ lc = 0.05 ];
DefineConstant[ algorithm = 6 ];

Point(1) = {0, 0, 0, lc};
Point(2) = {1, 0, 0, lc};
Point(3) = {0, 1, 0, lc};
Point(4) = {-1, 0, 0, lc};
Point(5) = {0, -1, 0, lc};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

Physical Curve("rim") = {1, 2, 3, 4};
Physical Surface("disc") = {1};
Mesh.Algorithm = algorithm;
