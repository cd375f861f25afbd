// Unit square of squares cut in two by diagonals in turns; the lid is the side y = 1. lc: edge length [m].
DefineConstant[ lc = 0.1 ];
n = Floor(1 / lc + 0.5);

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
Transfinite Curve {1, 2, 3, 4} = n + 1;
Transfinite Surface {1} Alternate;

Physical Curve("lid") = {3};
Physical Curve("wall") = {1, 2, 4};
Physical Surface("fluid") = {1};
