// A row of three rotors of 1 m, 5 m apart, in a plane flow of 44 m by 40 m; each is a volume group 0.2 m thick.
// lc: edge length [m] at rotors and wakes, twelve times that far from them.
DefineConstant[ lc = 0.1 ];
thick = 0.2;

Point(1) = {-20, -20, 0, lc};
Point(2) = {24, -20, 0, lc};
Point(3) = {24, 20, 0, lc};
Point(4) = {-20, 20, 0, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};

For k In {0 : 2}
  x = 5 * k;
  p = 10 + 4 * k;
  Point(p) = {x, -0.5, 0, lc};
  Point(p + 1) = {x + thick, -0.5, 0, lc};
  Point(p + 2) = {x + thick, 0.5, 0, lc};
  Point(p + 3) = {x, 0.5, 0, lc};
  Line(p) = {p, p + 1};
  Line(p + 1) = {p + 1, p + 2};
  Line(p + 2) = {p + 2, p + 3};
  Line(p + 3) = {p + 3, p};
  Curve Loop(2 + k) = {p, p + 1, p + 2, p + 3};
  Plane Surface(2 + k) = {2 + k};
EndFor
Plane Surface(1) = {1, 2, 3, 4};

// Finer around rotors and wakes.
Field[1] = Box;
Field[1].XMin = -1;
Field[1].XMax = 24;
Field[1].YMin = -1;
Field[1].YMax = 1;
Field[1].VIn = lc;
Field[1].VOut = 12 * lc;
Field[1].Thickness = 12;
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;

Physical Curve("inlet") = {4};
Physical Curve("outlet") = {2};
Physical Curve("side") = {1, 3};
Physical Surface("fluid") = {1};
Physical Surface("first") = {2};
Physical Surface("second") = {3};
Physical Surface("third") = {4};

Mesh.Algorithm = 6;
