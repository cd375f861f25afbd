// Half a disc of radius 1 m above the x axis. lc: edge length [m]; algorithm: 6 Frontal-Delaunay, 5 Delaunay. The arc
// becomes a polygon with corners on the arc.
DefineConstant[ lc = 0.05 ];
DefineConstant[ algorithm = 6 ];

Point(1) = {0, 0, 0, lc};
Point(2) = {1, 0, 0, lc};
Point(3) = {0, 1, 0, lc};
Point(4) = {-1, 0, 0, lc};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Line(3) = {4, 2};
Curve Loop(1) = {1, 2, 3};
Plane Surface(1) = {1};

Physical Curve("rim") = {1, 2};
Physical Curve("wall") = {3};
Physical Surface("pond") = {1};
Mesh.Algorithm = algorithm;
