// Unit square of a few triangles: the tests' .msh files of every format are made from it (README.md).
DefineConstant[ lc = 0.5 ];

Point(1) = {0, 0, 0, lc};
Point(2) = {1, 0, 0, lc};
Point(3) = {1, 1, 0, lc};
Point(4) = {0, 1, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

Physical Curve("wall") = {1, 2, 4};
Physical Curve("lid") = {3};
Physical Surface("fluid") = {1};
