// Quarter of a round pipe, diameter 1 m, 3 m long, between two planes of symmetry. lc: edge length [m] on the axis;
// half of it at the wall.
SetFactory("OpenCASCADE");
DefineConstant[ lc = 0.065 ];

Cylinder(1) = {0, 0, 0, 3, 0, 0, 0.5, Pi/2};
Rotate {{1, 0, 0}, {0, 0, 0}, -Pi/2} { Volume{1}; }

eps = 1e-3;
inlet() = Surface In BoundingBox {-eps, -1, -1, eps, 1, 1};
outlet() = Surface In BoundingBox {3 - eps, -1, -1, 3 + eps, 1, 1};
y0() = Surface In BoundingBox {-1, -eps, -1, 4, eps, 1};
z0() = Surface In BoundingBox {-1, -1, -eps, 4, 1, eps};
wall() = Boundary { Volume{1}; };
wall() -= {inlet(), outlet(), y0(), z0()};

Physical Surface("inlet") = {inlet()};
Physical Surface("outlet") = {outlet()};
Physical Surface("wall") = {wall()};
Physical Surface("y0") = {y0()};
Physical Surface("z0") = {z0()};
Physical Volume("fluid") = {1};

Field[1] = MathEval;
Field[1].F = Sprintf("%g * (1 - 2 * (y^2 + z^2))", lc);
Background Field = 1;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.Algorithm = 6;
