// Channel of 2.5 m by 0.41 m by 0.41 m with a cylinder along z, diameter 0.1 m, 0.5 m from the inlet and a little below
// the middle (Schaefer & Turek 1996, 3D-1Z). lc: edge length [m] at inlet and outlet; an eighth of it on the cylinder,
// half of it on the walls next to the cylinder.
DefineConstant[ lc = 0.06 ];

near = lc / 8;
beside = lc / 2;
Point(1) = {0, 0, 0, lc};
Point(2) = {0.5, 0, 0, beside};
Point(3) = {2.5, 0, 0, lc};
Point(4) = {2.5, 0.41, 0, lc};
Point(5) = {0.5, 0.41, 0, beside};
Point(6) = {0, 0.41, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};

Point(7) = {0.5, 0.2, 0, near};
Point(8) = {0.55, 0.2, 0, near};
Point(9) = {0.5, 0.25, 0, near};
Point(10) = {0.45, 0.2, 0, near};
Point(11) = {0.5, 0.15, 0, near};
Circle(7) = {8, 7, 9};
Circle(8) = {9, 7, 10};
Circle(9) = {10, 7, 11};
Circle(10) = {11, 7, 8};

Curve Loop(1) = {1, 2, 3, 4, 5, 6};
Curve Loop(2) = {7, 8, 9, 10};
Plane Surface(1) = {1, 2};

// sweep[0]: side z = 0.41, sweep[1]: the volume, sweep[2..]: the sides swept by lines 1..6 and circles 7..10
sweep[] = Extrude {0, 0, 0.41} { Surface{1}; };

Physical Surface("inlet") = {sweep[7]};
Physical Surface("outlet") = {sweep[4]};
Physical Surface("wall") = {1, sweep[0], sweep[2], sweep[3], sweep[5], sweep[6]};
Physical Surface("cylinder") = {sweep[8], sweep[9], sweep[10], sweep[11]};
Physical Volume("fluid") = {sweep[1]};

Mesh.Algorithm = 6;
