// Half of a channel that opens on both sides: 5 m high and 7 m long, then 6 m high and 20 m long behind a step of 1 m;
// 4 m wide, triangles that are swept, for a periodic pair. lc: edge length [m] around the step and the eddy behind it;
// 1.3 lc along the other floor, 3.5 lc at the middle of the channel. Four rows of flat triangles along the floors, the
// first .03 m thick.
DefineConstant[ lc = 0.2 ];
width = 4;

Point(1) = {-7, 1, 0};
Point(2) = {0, 1, 0};
Point(3) = {0, 0, 0};
Point(4) = {20, 0, 0};
Point(5) = {20, 6, 0};
Point(6) = {-7, 6, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Curve Loop(1) = {1, 2, 3, 4, 5, 6};
Plane Surface(1) = {1};

// sweep[0]: side z = width, sweep[1]: the volume, sweep[2..7]: sides swept by lines 1..6
sweep[] = Extrude {0, 0, width} { Surface{1}; Layers{Round(width / (1.2*lc))}; };

Field[1] = Box;  // around the step and the eddy
Field[1].XMin = -1;
Field[1].XMax = 9;
Field[1].YMin = -1;
Field[1].YMax = 2;
Field[1].ZMin = -1;
Field[1].ZMax = width + 1;
Field[1].VIn = lc;
Field[1].VOut = 3.5*lc;
Field[1].Thickness = 3;
Field[2] = Box;  // along the floor
Field[2].XMin = -8;
Field[2].XMax = 21;
Field[2].YMin = -1;
Field[2].YMax = 2;
Field[2].ZMin = -1;
Field[2].ZMax = width + 1;
Field[2].VIn = 1.3*lc;
Field[2].VOut = 3.5*lc;
Field[2].Thickness = 3;
Field[3] = Min;
Field[3].FieldsList = {1, 2};
Background Field = 3;
Field[4] = BoundaryLayer;
Field[4].EdgesList = {1, 2, 3};
Field[4].NodesList = {1, 4};
Field[4].hwall_n = 0.03;
Field[4].ratio = 1.4;
Field[4].thickness = 0.22;
Field[4].hfar = lc;
Field[4].Quads = 0;
BoundaryLayer Field = 4;
Mesh.CharacteristicLengthExtendFromBoundary = 0;
Mesh.CharacteristicLengthFromPoints = 0;

Physical Surface("wall") = {sweep[2], sweep[3], sweep[4]};
Physical Surface("outlet") = {sweep[5]};
Physical Surface("top") = {sweep[6]};
Physical Surface("inlet") = {sweep[7]};
Physical Surface("back") = {1};
Physical Surface("front") = {sweep[0]};
Physical Volume("fluid") = {sweep[1]};

Mesh.Algorithm = 6;
