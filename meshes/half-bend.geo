// Half of a round pipe, diameter 1 m, with a 90 degree bend of radius 1.5 m and straight pieces of 4 m before and 2.5 m
// behind the bend; z = 0 is a plane of symmetry. lc: edge length [m] on the axis; half of it at the wall.
SetFactory("OpenCASCADE");
DefineConstant[ lc = 0.09 ];

turn = 1.5;
Disk(100) = {0, 0, 0, 0.5};
Rotate {{0, 1, 0}, {0, 0, 0}, Pi/2} { Surface{100}; }
before[] = Extrude {-4, 0, 0} { Surface{100}; };
bend[] = Extrude {{0, 0, 1}, {0, turn, 0}, Pi/2} { Surface{100}; };
behind[] = Extrude {0, 2.5, 0} { Surface{bend[0]}; };
pipe() = BooleanUnion{ Volume{before[1]}; Delete; }{ Volume{bend[1], behind[1]}; Delete; };
Box(200) = {-5, -1, 0, 8, 6, 1};
fluid() = BooleanIntersection{ Volume{pipe()}; Delete; }{ Volume{200}; Delete; };

eps = 1e-3;
inlet() = Surface In BoundingBox {-4 - eps, -1, -eps, -4 + eps, 1, 1};
outlet() = Surface In BoundingBox {turn - 1, turn + 2.5 - eps, -eps, turn + 1, turn + 2.5 + eps, 1};
middle() = Surface In BoundingBox {-5, -1, -eps, 4, 5, eps};
wall() = Boundary { Volume{fluid()}; };
wall() -= {inlet(), outlet(), middle()};

Physical Surface("inlet") = {inlet()};
Physical Surface("outlet") = {outlet()};
Physical Surface("wall") = {wall()};
Physical Surface("middle") = {middle()};
Physical Volume("fluid") = {fluid()};

Field[1] = MathEval;
Field[1].F = Sprintf("%g * (1 - 2 * (z^2 + (1.5 - sqrt(max(x, 0)^2 + min(y - 1.5, 0)^2))^2))", lc);
Background Field = 1;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.Algorithm = 6;
