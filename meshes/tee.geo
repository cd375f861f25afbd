// Duct, 1 m high and 7 m long, with a branch of the same width, 4 m upwards. lc: edge length [m] at the corners of the
// branch; 1.5 lc at the inlet, 2 lc at the outlets.
DefineConstant[ lc = 0.06 ];

Point(1) = {-2, 0, 0, 1.5*lc};
Point(2) = {5, 0, 0, 2*lc};
Point(3) = {5, 1, 0, 2*lc};
Point(4) = {1, 1, 0, lc};
Point(5) = {1, 5, 0, 2*lc};
Point(6) = {0, 5, 0, 2*lc};
Point(7) = {0, 1, 0, lc};
Point(8) = {-2, 1, 0, 1.5*lc};
Point(9) = {0.5, 0, 0, lc};
Line(1) = {1, 9};
Line(2) = {9, 2};
Line(3) = {2, 3};
Line(4) = {3, 4};
Line(5) = {4, 5};
Line(6) = {5, 6};
Line(7) = {6, 7};
Line(8) = {7, 8};
Line(9) = {8, 1};
Curve Loop(1) = {1, 2, 3, 4, 5, 6, 7, 8, 9};
Plane Surface(1) = {1};

Physical Curve("inlet") = {9};
Physical Curve("main") = {3};
Physical Curve("branch") = {6};
Physical Curve("wall") = {1, 2, 4, 5, 7, 8};
Physical Surface("fluid") = {1};

Mesh.Algorithm = 6;
