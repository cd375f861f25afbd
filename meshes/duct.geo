// Square duct, 1 m by 1 m and 3 m long. lc: edge length [m].
DefineConstant[ lc = 0.1 ];

Point(1) = {0, 0, 0, lc};
Point(2) = {0, 1, 0, lc};
Point(3) = {0, 1, 1, lc};
Point(4) = {0, 0, 1, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

// sweep[0]: side x = 3, sweep[1]: the volume, sweep[2..5]: the sides swept by lines 1..4
sweep[] = Extrude {3, 0, 0} { Surface{1}; };

Physical Surface("inlet") = {1};
Physical Surface("outlet") = {sweep[0]};
Physical Surface("wall") = {sweep[2], sweep[3], sweep[4], sweep[5]};
Physical Volume("fluid") = {sweep[1]};

Mesh.Algorithm = 6;
