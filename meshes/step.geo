// Channel, 1 m high and 5 m long, which opens to 2 m over a step of 1 m; 30 m follow. lc: edge length [m] at the step;
// 1.5 lc at the inlet, 1.3 lc 15 m behind the step, 2 lc at the outlet.
DefineConstant[ lc = 0.08 ];

Point(1) = {-5, 1, 0, 1.5*lc};
Point(2) = {0, 1, 0, lc};
Point(3) = {0, 0, 0, lc};
Point(4) = {15, 0, 0, 1.3*lc};
Point(5) = {30, 0, 0, 2*lc};
Point(6) = {30, 2, 0, 2*lc};
Point(7) = {15, 2, 0, 1.3*lc};
Point(8) = {0, 2, 0, lc};
Point(9) = {-5, 2, 0, 1.5*lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 7};
Line(7) = {7, 8};
Line(8) = {8, 9};
Line(9) = {9, 1};
Curve Loop(1) = {1, 2, 3, 4, 5, 6, 7, 8, 9};
Plane Surface(1) = {1};

Physical Curve("wall") = {1, 2, 3, 4, 6, 7, 8};
Physical Curve("outlet") = {5};
Physical Curve("inlet") = {9};
Physical Surface("fluid") = {1};

Mesh.Algorithm = 6;
