// Channel, 1 m high, with a block on its floor, 1 m long and 0.4 m high, 3 m behind the inlet; 9 m follow. Fluid and
// block share the nodes and edges of the block's surface, which is inside the mesh and in no physical group.
// lc: edge length [m] at inlet and outlet; a third of it on the block, two thirds on the walls near the block.
DefineConstant[ lc = 0.1 ];

near = lc / 3;
Point(1) = {-3, 0, 0, lc};
Point(2) = {0, 0, 0, near};
Point(3) = {0, 0.4, 0, near};
Point(4) = {1, 0.4, 0, near};
Point(5) = {1, 0, 0, near};
Point(6) = {3.5, 0, 0, 2*near};
Point(7) = {10, 0, 0, lc};
Point(8) = {10, 1, 0, lc};
Point(9) = {1, 1, 0, 2*near};
Point(10) = {0, 1, 0, 2*near};
Point(11) = {-3, 1, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};    // the block
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 7};
Line(7) = {7, 8};    // outlet
Line(8) = {8, 9};
Line(9) = {9, 10};
Line(10) = {10, 11};
Line(11) = {11, 1};  // inlet
Line(12) = {5, 2};   // under the block
Curve Loop(1) = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
Plane Surface(1) = {1};
Curve Loop(2) = {-4, -3, -2, -12};
Plane Surface(2) = {2};

Physical Curve("inlet") = {11};
Physical Curve("outlet") = {7};
Physical Curve("wall") = {1, 5, 6, 8, 9, 10};
Physical Curve("foot") = {12};
Physical Surface("fluid") = {1};
Physical Surface("block") = {2};

Mesh.Algorithm = 6;
