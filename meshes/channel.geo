// A straight channel, 4 m long and 1 m high. lc: edge length [m]; algorithm: 6 Frontal-Delaunay, 5 Delaunay.
DefineConstant[ lc = 0.05 ];
DefineConstant[ algorithm = 6 ];

Point(1) = {0, 0, 0, lc};
Point(2) = {4, 0, 0, lc};
Point(3) = {4, 1, 0, lc};
Point(4) = {0, 1, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

Physical Curve("wall") = {1, 3};
Physical Curve("outlet") = {2};
Physical Curve("inlet") = {4};
Physical Surface("fluid") = {1};

Mesh.Algorithm = algorithm;
