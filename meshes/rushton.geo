// A round tank of diameter and height 1 m with four baffles around a disk turbine with six blades (Rushton, Costich &
// Everett 1950): diameter D = 1/3 m, a third of the height above the bottom, disk 3/4 D, blades D/4 by D/5, all D/20
// thick, without a shaft. The fluid within .25 m of the axis and .1 m of the turbine's plane is the volume group
// "zone", the rest "bulk". lc: edge length [m] in the bulk, a quarter of that at the turbine.
SetFactory("OpenCASCADE");
DefineConstant[ lc = 0.08 ];

D = 1 / 3;
thick = D / 20;
Cylinder(1) = {0, 0, 0, 0, 0, 1, 0.5};
Cylinder(2) = {0, 0, D - 0.1, 0, 0, 0.2, 0.25};

Cylinder(3) = {0, 0, D - thick / 2, 0, 0, thick, 3 * D / 8};
For k In {0:5}
  Box(10 + k) = {D / 4, -thick / 2, D - D / 10, D / 4, thick, D / 5};
  Rotate {{0, 0, 1}, {0, 0, 0}, k * Pi / 3} { Volume{10 + k}; }
EndFor
turbine() = BooleanUnion{ Volume{3}; Delete; }{ Volume{10:15}; Delete; };

ring() = BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; };
For k In {0:3}
  Box(20 + k) = {0.4, -0.01, -0.1, 0.2, 0.02, 1.2};
  Rotate {{0, 0, 1}, {0, 0, 0}, Pi / 6 + k * Pi / 2} { Volume{20 + k}; }
  ring() = BooleanDifference{ Volume{ring()}; Delete; }{ Volume{20 + k}; Delete; };
EndFor
zone() = BooleanDifference{ Volume{2}; Delete; }{ Volume{turbine()}; Delete; };
BooleanFragments{ Volume{ring()}; Delete; }{ Volume{zone()}; Delete; }

near = 1e-3;
zone() = Volume In BoundingBox{-0.25 - near, -0.25 - near, 0.2, 0.25 + near, 0.25 + near, 0.5};
bulk() = Volume{:};
bulk() -= zone();
turning() = Surface In BoundingBox{-0.2, -0.2, 0.2, 0.2, 0.2, 0.5};
top() = Surface In BoundingBox{-0.6, -0.6, 1 - near, 0.6, 0.6, 1 + near};
walls() = CombinedBoundary{ Volume{:}; };
tank() = Abs(walls());
tank() -= turning();
tank() -= top();

Physical Volume("zone") = {zone()};
Physical Volume("bulk") = {bulk()};
Physical Surface("turbine") = {turning()};
Physical Surface("tank") = {tank()};
Physical Surface("surface") = {top()};

MeshSize{ PointsOf{ Volume{:}; } } = lc;
MeshSize{ PointsOf{ Volume{zone()}; } } = lc / 2;
MeshSize{ PointsOf{ Surface{turning()}; } } = lc / 4;
