// Plate of 2 m by 1 m, steel for x < 1 and insulation for x > 1. The regions share the nodes and edges of the line
// between them, which is inside the plate and in no physical group. lc: edge length [m].
DefineConstant[ lc = 0.05 ];

Point(1) = {0, 0, 0, lc};
Point(2) = {1, 0, 0, lc};
Point(3) = {2, 0, 0, lc};
Point(4) = {2, 1, 0, lc};
Point(5) = {1, 1, 0, lc};
Point(6) = {0, 1, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Line(7) = {2, 5};  // between the materials
Curve Loop(1) = {1, 7, 5, 6};
Plane Surface(1) = {1};
Curve Loop(2) = {2, 3, 4, -7};
Plane Surface(2) = {2};

Physical Curve("left") = {6};
Physical Curve("right") = {3};
Physical Curve("side") = {1, 2, 4, 5};
Physical Surface("steel") = {1};
Physical Surface("insulation") = {2};

Mesh.Algorithm = 6;
