// The cavity with plain Delaunay triangles, less regular than Frontal-Delaunay: the mesh of the published comparisons.
algorithm = 5;
Include "cavity.geo";
