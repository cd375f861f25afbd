// A round tank of diameter 1 m around a wheel of six straight blades, seen along the shaft: diameter 1/3 m, hub .1 m,
// blades .02 m thick. The fluid within .25 m of the axis is the volume group "zone", the rest "bulk". lc: edge length
// [m]; baffles: as many plates, .1 m wide and .02 m thick, stand on the wall.
SetFactory("OpenCASCADE");
DefineConstant[ lc = 0.02 ];
DefineConstant[ baffles = 4 ];

thick = 0.02;
Disk(1) = {0, 0, 0, 0.5};
Disk(2) = {0, 0, 0, 0.25};

Disk(3) = {0, 0, 0, 0.05};
For k In {0:5}
  Rectangle(10 + k) = {0, -thick / 2, 0, 1 / 6, thick};
  Rotate {{0, 0, 1}, {0, 0, 0}, k * Pi / 3} { Surface{10 + k}; }
EndFor
wheel() = BooleanUnion{ Surface{3}; Delete; }{ Surface{10:15}; Delete; };

ring() = BooleanDifference{ Surface{1}; Delete; }{ Surface{2}; };
For k In {1:baffles}
  Rectangle(20 + k) = {0.4, -thick / 2, 0, 0.2, thick};
  Rotate {{0, 0, 1}, {0, 0, 0}, Pi / 6 + 2 * Pi * k / baffles} { Surface{20 + k}; }
  ring() = BooleanDifference{ Surface{ring()}; Delete; }{ Surface{20 + k}; Delete; };
EndFor
zone() = BooleanDifference{ Surface{2}; Delete; }{ Surface{wheel()}; Delete; };
BooleanFragments{ Surface{ring()}; Delete; }{ Surface{zone()}; Delete; }

near = 1e-3;
zone() = Surface In BoundingBox{-0.25 - near, -0.25 - near, -near, 0.25 + near, 0.25 + near, near};
bulk() = Surface{:};
bulk() -= zone();
blades() = Curve In BoundingBox{-0.2, -0.2, -near, 0.2, 0.2, near};
walls() = CombinedBoundary{ Surface{:}; };
tank() = Abs(walls());
tank() -= blades();

Physical Surface("zone") = {zone()};
Physical Surface("bulk") = {bulk()};
Physical Curve("wheel") = {blades()};
Physical Curve("tank") = {tank()};

MeshSize{ PointsOf{ Surface{:}; } } = lc;
MeshSize{ PointsOf{ Curve{blades()}; } } = lc / 2;
Mesh.Algorithm = 6;
