// Ring: a round tube of radius 0.4 m along a circle of radius 1 m in the plane z = 0. lc: edge length [m].
SetFactory("OpenCASCADE");
DefineConstant[ lc = 0.12 ];

Torus(1) = {0, 0, 0, 1, 0.4};
Physical Surface("wall") = Boundary { Volume{1}; };
Physical Volume("fluid") = {1};

MeshSize {:} = lc;
Mesh.Algorithm = 6;
