// A stretch of open water, L by B, around y = 0. lc: edge length [m].
DefineConstant[ lc = 2.5 ];
DefineConstant[ L = 520 ];
DefineConstant[ B = 280 ];

Point(1) = {0, -B/2, 0, lc};
Point(2) = {L, -B/2, 0, lc};
Point(3) = {L, B/2, 0, lc};
Point(4) = {0, B/2, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

Physical Curve("sides") = {1, 2, 3, 4};
Physical Surface("water") = {1};

Mesh.Algorithm = 6;
