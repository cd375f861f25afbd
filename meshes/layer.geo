// Layer of height 1 m between two plates. Its length is that of the critical wave, 2 pi / 3.117. lc: edge length [m].
DefineConstant[ lc = 0.08 ];
length = 2.0158;

Point(1) = {0, 0, 0, lc};
Point(2) = {length, 0, 0, lc};
Point(3) = {length, 1, 0, lc};
Point(4) = {0, 1, 0, lc};
Line(1) = {1, 2};  // bottom
Line(2) = {2, 3};  // right
Line(3) = {3, 4};  // top
Line(4) = {1, 4};  // left
Periodic Curve {2} = {4} Translate {length, 0, 0};
Curve Loop(1) = {1, 2, 3, -4};
Plane Surface(1) = {1};

Physical Curve("bottom") = {1};
Physical Curve("top") = {3};
Physical Curve("left") = {4};
Physical Curve("right") = {2};
Physical Surface("fluid") = {1};

Mesh.Algorithm = 6;
