// Quarter of the nozzle of the FDA (Hariharan et al., J. Biomech. Eng. 133 (2011) 041002), in mm but for z, which is in
// units of 4 mm: with `scale` three numbers, cells are four times as long along the flow as across. A pipe of diameter
// 12 narrows in a cone, 22.685 mm long, to a throat of diameter 4, 40 mm long, which ends at z = 0 in a pipe of
// diameter 12. lc: edge length across the throat and the jet, up to z = 80 mm; larger far from them.
SetFactory("OpenCASCADE");
DefineConstant[ lc = 0.4 ];

unit = 4;
Cylinder(1) = {0, 0, -95 / unit, 0, 0, 32.315 / unit, 6, Pi/2};
Cone(2) = {0, 0, -62.685 / unit, 0, 0, 22.685 / unit, 6, 2, Pi/2};
Cylinder(3) = {0, 0, -40 / unit, 0, 0, 40 / unit, 2, Pi/2};
Cylinder(4) = {0, 0, 0, 0, 0, 120 / unit, 6, Pi/2};
fluid() = BooleanUnion{ Volume{1}; Delete; }{ Volume{2, 3, 4}; Delete; };

eps = 1e-3;
inlet() = Surface In BoundingBox {-eps, -eps, -95 / unit - eps, 7, 7, -95 / unit + eps};
outlet() = Surface In BoundingBox {-eps, -eps, 120 / unit - eps, 7, 7, 120 / unit + eps};
x0() = Surface In BoundingBox {-eps, -eps, -24, eps, 7, 31};
y0() = Surface In BoundingBox {-eps, -eps, -24, 7, eps, 31};
wall() = Boundary { Volume{fluid()}; };
wall() -= {inlet(), outlet(), x0(), y0()};

Physical Surface("inlet") = {inlet()};
Physical Surface("outlet") = {outlet()};
Physical Surface("wall") = {wall()};
Physical Surface("x0") = {x0()};
Physical Surface("y0") = {y0()};
Physical Volume("fluid") = {fluid()};

Field[1] = MathEval;
Field[1].F = Sprintf("%g * (1 + 0.35 * max(0, sqrt(x^2 + y^2) - 2) + 0.015 * max(0, abs(%g * z - 19) - 61))", lc, unit);
Background Field = 1;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.Algorithm = 6;
