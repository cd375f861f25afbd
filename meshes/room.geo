// Room, 4 m wide and 3 m high: a door 1 m high at the floor on the left, another 1 m high under the ceiling on the right.
// lc: edge length [m].
DefineConstant[ lc = 0.1 ];

Point(1) = {0, 0, 0, lc};
Point(2) = {4, 0, 0, lc};
Point(3) = {4, 2, 0, lc};
Point(4) = {4, 3, 0, lc};
Point(5) = {0, 3, 0, lc};
Point(6) = {0, 1, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Curve Loop(1) = {1, 2, 3, 4, 5, 6};
Plane Surface(1) = {1};

Physical Curve("lower") = {6};
Physical Curve("upper") = {3};
Physical Curve("wall") = {1, 2, 4, 5};
Physical Surface("air") = {1};

Mesh.Algorithm = 6;
