// Unit cube of cubes cut into six tetrahedra; the lid is the side y = 1. lc: edge length [m].
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
Transfinite Surface {1};

// sweep[0]: side z = 1, sweep[1]: the volume, sweep[2..5]: the sides swept by lines 1..4 (y = 0, x = 1, y = 1, x = 0)
sweep[] = Extrude {0, 0, 1} { Surface{1}; Layers{n}; };

Physical Surface("lid") = {sweep[4]};
Physical Surface("wall") = {1, sweep[0], sweep[2], sweep[3], sweep[5]};
Physical Volume("fluid") = {sweep[1]};
