// Water around a round pile of radius 1 m, out to a circle of radius R. lc: edge length in the water, half of it at the
// pile [m].
DefineConstant[ lc = 0.26 ];
DefineConstant[ R = 14 ];

Point(1) = {0, 0, 0, lc};  // centre of both circles

Point(2) = {1, 0, 0, lc/2};
Point(3) = {0, 1, 0, lc/2};
Point(4) = {-1, 0, 0, lc/2};
Point(5) = {0, -1, 0, lc/2};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 2};

Point(6) = {R, 0, 0, lc};
Point(7) = {0, R, 0, lc};
Point(8) = {-R, 0, 0, lc};
Point(9) = {0, -R, 0, lc};
Circle(5) = {6, 1, 7};
Circle(6) = {7, 1, 8};
Circle(7) = {8, 1, 9};
Circle(8) = {9, 1, 6};

Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 6, 7, 8};
Plane Surface(1) = {2, 1};

Physical Curve("pile") = {1, 2, 3, 4};
Physical Curve("sea") = {5, 6, 7, 8};
Physical Surface("water") = {1};

Mesh.Algorithm = 6;
