// Round pipe, diameter 1 m, with a 90 degree bend of radius 1.5 m and straight pieces of 1 m before and 3 m behind the
// bend: a union of OpenCASCADE solids. lc: edge length [m].
SetFactory("OpenCASCADE");
DefineConstant[ lc = 0.12 ];

turn = 1.5;
Cylinder(1) = {-1, 0, 0, 1, 0, 0, 0.5};
Cylinder(2) = {turn, turn, 0, 0, 3, 0, 0.5};
Disk(100) = {0, 0, 0, 0.5};
Rotate {{0, 1, 0}, {0, 0, 0}, Pi/2} { Surface{100}; }
bend[] = Extrude {{0, 0, 1}, {0, turn, 0}, Pi/2} { Surface{100}; };
fluid() = BooleanUnion{ Volume{1}; Delete; }{ Volume{2, bend[1]}; Delete; };

eps = 1e-3;
inlet() = Surface In BoundingBox {-1 - eps, -1, -1, -1 + eps, 1, 1};
outlet() = Surface In BoundingBox {turn - 1, turn + 3 - eps, -1, turn + 1, turn + 3 + eps, 1};
wall() = Boundary { Volume{fluid()}; };
wall() -= {inlet(), outlet()};

Physical Surface("inlet") = {inlet()};
Physical Surface("outlet") = {outlet()};
Physical Surface("wall") = {wall()};
Physical Volume("fluid") = {fluid()};

MeshSize {:} = lc;
Mesh.Algorithm = 6;
