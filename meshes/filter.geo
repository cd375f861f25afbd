// Housing of 3 m by 1 m with a filter 0.2 m thick across its middle, a volume group, between pipes of 0.3 m: one along
// the bottom enters, one along the top leaves. lc: edge length [m] in housing and pipes; half of it at the filter.
DefineConstant[ lc = 0.06 ];
fine = lc / 2;

Point(1) = {-1, 0, 0, lc};
Point(2) = {1.4, 0, 0, fine};
Point(3) = {1.6, 0, 0, fine};
Point(4) = {3, 0, 0, lc};
Point(5) = {3, 0.7, 0, fine};
Point(6) = {5, 0.7, 0, lc};
Point(7) = {5, 1, 0, lc};
Point(8) = {1.6, 1, 0, fine};
Point(9) = {1.4, 1, 0, fine};
Point(10) = {0, 1, 0, lc};
Point(11) = {0, 0.3, 0, fine};
Point(12) = {-1, 0.3, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 7};
Line(7) = {7, 8};
Line(8) = {8, 9};
Line(9) = {9, 10};
Line(10) = {10, 11};
Line(11) = {11, 12};
Line(12) = {12, 1};
Line(13) = {2, 9};
Line(14) = {3, 8};

Curve Loop(1) = {1, 13, 9, 10, 11, 12};
Curve Loop(2) = {2, 14, 8, -13};
Curve Loop(3) = {3, 4, 5, 6, 7, -14};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Plane Surface(3) = {3};

Physical Curve("inlet") = {12};
Physical Curve("outlet") = {6};
Physical Curve("wall") = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11};
Physical Surface("fluid") = {1, 3};
Physical Surface("filter") = {2};

Mesh.Algorithm = 6;
