// Cube of side 2 pi with the same triangles on opposite sides, for periodic pairs. lc: edge length [m].
DefineConstant[ lc = 0.6 ];

side = 2*Pi;
Point(1) = {0, 0, 0, lc};
Point(2) = {side, 0, 0, lc};
Point(3) = {side, side, 0, lc};
Point(4) = {0, side, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 3};
Line(4) = {1, 4};
Curve Loop(1) = {1, 2, -3, -4};
Plane Surface(1) = {1};

// sweep[0]: side z = 2 pi, sweep[1]: the volume, sweep[2..5]: sides swept by lines 1..4 (y = 0, x = 2 pi, y = 2 pi,
// x = 0)
sweep[] = Extrude {0, 0, side} { Surface{1}; };

Periodic Surface {sweep[0]} = {1} Translate {0, 0, side};
Periodic Surface {sweep[3]} = {sweep[5]} Translate {side, 0, 0};
Periodic Surface {sweep[4]} = {sweep[2]} Translate {0, side, 0};

Physical Surface("left") = {sweep[5]};
Physical Surface("right") = {sweep[3]};
Physical Surface("bottom") = {sweep[2]};
Physical Surface("top") = {sweep[4]};
Physical Surface("back") = {1};
Physical Surface("front") = {sweep[0]};
Physical Volume("fluid") = {sweep[1]};

Mesh.Algorithm = 6;
