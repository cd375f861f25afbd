// Channel of 2.2 m by 0.41 m with a cylinder, diameter 0.1 m, a little below its middle (Schaefer & Turek 1996).
// lc: edge length [m] away from the cylinder, a seventh of it on the cylinder; outlet: x of the channel's end [m].
DefineConstant[ lc = 0.0175 ];
DefineConstant[ outlet = 2.2 ];

near = lc / 7;
Point(1) = {0, 0, 0, lc};
Point(2) = {outlet, 0, 0, lc};
Point(3) = {outlet, 0.41, 0, lc};
Point(4) = {0, 0.41, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};

Point(5) = {0.2, 0.2, 0, near};
Point(6) = {0.25, 0.2, 0, near};
Point(7) = {0.2, 0.25, 0, near};
Point(8) = {0.15, 0.2, 0, near};
Point(9) = {0.2, 0.15, 0, near};
Circle(5) = {6, 5, 7};
Circle(6) = {7, 5, 8};
Circle(7) = {8, 5, 9};
Circle(8) = {9, 5, 6};

Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 6, 7, 8};
Plane Surface(1) = {1, 2};

Physical Curve("wall") = {1, 3};
Physical Curve("outlet") = {2};
Physical Curve("inlet") = {4};
Physical Curve("cylinder") = {5, 6, 7, 8};
Physical Surface("fluid") = {1};

Mesh.Algorithm = 6;
