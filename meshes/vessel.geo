// Half of a vessel in the plane, 2 m wide and 1.5 m high, with a rounded hole 0.4 m wide in its floor. lc: edge length
// [m] in the hole; 4 lc at the surface.
DefineConstant[ lc = 0.02 ];

Point(1) = {0, -0.4, 0, lc};
Point(2) = {0.2, -0.4, 0, lc};
Point(3) = {0.2, -0.3, 0, lc};
Point(4) = {0.5, 0, 0, 2*lc};
Point(5) = {0.5, -0.3, 0, lc};
Point(6) = {1, 0, 0, 4*lc};
Point(7) = {1, 1.5, 0, 4*lc};
Point(8) = {0, 1.5, 0, 4*lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Circle(3) = {3, 5, 4};
Line(4) = {4, 6};
Line(5) = {6, 7};
Line(6) = {7, 8};
Line(7) = {8, 1};
Curve Loop(1) = {1, 2, 3, 4, 5, 6, 7};
Plane Surface(1) = {1};

Physical Curve("hole") = {1};
Physical Curve("wall") = {2, 3, 4, 5};
Physical Curve("surface") = {6};
Physical Curve("middle") = {7};
Physical Surface("water") = {1};

Mesh.Algorithm = 6;
