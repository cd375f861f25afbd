// Crankshaft of an inline four: five main journals, four crank pins at 0, 180, 180 and 0 degrees, eight webs with
// counterweights, a flange for the flywheel at the hot end and a nose for the pulley at the cold end. The axis of
// rotation is x, the nose starts at x = 0. Lengths in metres.
//
// lc: edge length [m], smaller on and near fillets and bolt holes, see the end of this file. The default gives about
// 180 thousand tetrahedra.
DefineConstant[ lc = 0.005 ];

SetFactory("OpenCASCADE");

main_radius = 0.027;  // main journals
main_length = 0.026;
pin_radius = 0.024;  // crank pins
pin_length = 0.026;
throw = 0.040;  // from the axis to the middle of a pin: half the stroke
fillet = 0.0045;  // radius between journals or pins and webs or flange

web_thickness = 0.020;
web_pin_radius = 0.033;  // web around the pin; more than pin_radius + fillet
web_main_radius = 0.036;  // web around the journal; more than main_radius + fillet
web_bevel = 0.008;  // reduction of the thickness at the tip, on the journal's side
web_bevel_start = 0.042;  // distance of its start from the axis; more than main_radius + fillet

counterweight_radius = 0.066;
counterweight_angle = 58 * Pi / 180;  // half its angle, opposite the pin
counterweight_root = 0.010;  // radius of the rounding at the web
counterweight_tip = 0.007;  // radius of its two outer corners

flange_radius = 0.050;
flange_thickness = 0.014;
flange_bolts = 6;  // number of through holes, 0: none
bolt_radius = 0.0055;
bolt_circle = 0.0385;  // distance of their centres from the axis; more than main_radius + fillet + bolt_radius

nose_radius = 0.016;  // seat of the pulley
nose_length = 0.034;
nose_chamfer = 0.003;
shoulder_radius = 0.021;  // seat of the timing wheel, between nose and first journal
shoulder_length = 0.020;

pitch = main_length + pin_length + 2 * web_thickness;  // from one journal to the next
first_main = nose_length + shoulder_length;
length = first_main + 4 * pitch + main_length + flange_thickness;

// Solid of revolution of the closed line of curves c ... newc - 1 around the axis y = height. The parts of the shaft
// touch in planes x = const, where the fillets end tangentially.
Macro Turn
  l = newll;
  Curve Loop(l) = {c : newc - 1};
  s = news;
  Plane Surface(s) = {l};
  turned[] = Extrude { {1, 0, 0}, {0, height, 0}, 2 * Pi } { Surface{s}; };
  Recursive Delete { Surface{s}; }
  parts[] += turned[1];
Return

// Journal with a fillet at both ends, from x = start to start + size around the axis y = height.
Macro Journal
  p = newp;
  Point(p) = {start, height, 0};
  Point(p + 1) = {start, height + radius + fillet, 0};
  Point(p + 2) = {start + fillet, height + radius + fillet, 0};  // centre of the fillet
  Point(p + 3) = {start + fillet, height + radius, 0};
  Point(p + 4) = {start + size - fillet, height + radius, 0};
  Point(p + 5) = {start + size - fillet, height + radius + fillet, 0};  // centre of the fillet
  Point(p + 6) = {start + size, height + radius + fillet, 0};
  Point(p + 7) = {start + size, height, 0};
  c = newc;
  Line(c) = {p, p + 1};
  Circle(c + 1) = {p + 1, p + 2, p + 3};
  Line(c + 2) = {p + 3, p + 4};
  Circle(c + 3) = {p + 4, p + 5, p + 6};
  Line(c + 4) = {p + 6, p + 7};
  Line(c + 5) = {p + 7, p};
  Call Turn;
Return

parts[] = {};

// The nose and the first journal, which has a fillet only at the web.
height = 0;
p = newp;
Point(p) = {0, 0, 0};
Point(p + 1) = {0, nose_radius - nose_chamfer, 0};
Point(p + 2) = {nose_chamfer, nose_radius, 0};
Point(p + 3) = {nose_length, nose_radius, 0};
Point(p + 4) = {nose_length, shoulder_radius, 0};
Point(p + 5) = {first_main, shoulder_radius, 0};
Point(p + 6) = {first_main, main_radius, 0};
Point(p + 7) = {first_main + main_length - fillet, main_radius, 0};
Point(p + 8) = {first_main + main_length - fillet, main_radius + fillet, 0};  // centre of the fillet
Point(p + 9) = {first_main + main_length, main_radius + fillet, 0};
Point(p + 10) = {first_main + main_length, 0, 0};
c = newc;
For k In {0 : 6}
  Line(c + k) = {p + k, p + k + 1};
EndFor
Circle(c + 7) = {p + 7, p + 8, p + 9};
Line(c + 8) = {p + 9, p + 10};
Line(c + 9) = {p + 10, p};
Call Turn;

For k In {1 : 4}
  start = first_main + k * pitch;
  size = main_length;
  radius = main_radius;
  height = 0;
  Call Journal;
EndFor
For k In {0 : 3}
  start = first_main + k * pitch + main_length + web_thickness;
  size = pin_length;
  radius = pin_radius;
  height = (k == 0 || k == 3) ? throw : -throw;
  Call Journal;
EndFor

// Outline of a web with its pin at y = throw, in the plane x = 0: an arc around the pin, tangents to an arc around the
// journal, roundings to the counterweight's flanks, which point to the axis, and its rim. Angles count from +y; the
// side z < 0 is the mirror image.
tangent = Acos((web_pin_radius - web_main_radius) / throw);
flank = Pi - counterweight_angle;
root = flank - Asin(counterweight_root / (web_main_radius + counterweight_root));
tip = flank + Asin(counterweight_tip / (counterweight_radius - counterweight_tip));
root_end = Sqrt(web_main_radius^2 + 2 * web_main_radius * counterweight_root);
tip_start = Sqrt(counterweight_radius^2 - 2 * counterweight_radius * counterweight_tip);

axis = newp;
Point(axis) = {0, 0, 0};
Point(axis + 1) = {0, throw, 0};
Point(axis + 2) = {0, throw + web_pin_radius, 0};
Point(axis + 3) = {0, -counterweight_radius, 0};
For side In {0 : 1}
  z = 1 - 2 * side;
  q = newp;
  Point(q) = {0, throw + web_pin_radius * Cos(tangent), z * web_pin_radius * Sin(tangent)};
  Point(q + 1) = {0, web_main_radius * Cos(tangent), z * web_main_radius * Sin(tangent)};
  Point(q + 2) = {0, web_main_radius * Cos(root), z * web_main_radius * Sin(root)};
  Point(q + 3) = {0, root_end * Cos(flank), z * root_end * Sin(flank)};
  Point(q + 4) = {0, tip_start * Cos(flank), z * tip_start * Sin(flank)};
  Point(q + 5) = {0, counterweight_radius * Cos(tip), z * counterweight_radius * Sin(tip)};
  r = web_main_radius + counterweight_root;
  Point(q + 6) = {0, r * Cos(root), z * r * Sin(root)};  // centre of the root's rounding
  r = counterweight_radius - counterweight_tip;
  Point(q + 7) = {0, r * Cos(tip), z * r * Sin(tip)};  // centre of the tip's rounding
  c = newc;
  Circle(c) = {axis + 2, axis + 1, q};
  Line(c + 1) = {q, q + 1};
  Circle(c + 2) = {q + 1, axis, q + 2};
  Circle(c + 3) = {q + 2, q + 6, q + 3};
  Line(c + 4) = {q + 3, q + 4};
  Circle(c + 5) = {q + 4, q + 7, q + 5};
  Circle(c + 6) = {q + 5, axis, axis + 3};
EndFor
l = newll;
Curve Loop(l) = {c - 7 : c + 6};
s = news;
Plane Surface(s) = {l};
block[] = Extrude { web_thickness, 0, 0 } { Surface{s}; };

// Bevel: a wedge in the plane z = 0, extruded to both sides.
top = throw + web_pin_radius;
slope = web_bevel / (top - web_bevel_start);
p = newp;
Point(p) = {0, web_bevel_start, -top};
Point(p + 1) = {slope * (2 * top - web_bevel_start), 2 * top, -top};
Point(p + 2) = {0, 2 * top, -top};
c = newc;
For k In {0 : 2}
  Line(c + k) = {p + k, p + (k + 1) % 3};
EndFor
l = newll;
Curve Loop(l) = {c : c + 2};
s = news;
Plane Surface(s) = {l};
wedge[] = Extrude { 0, 0, 2 * top } { Surface{s}; };
web[] = BooleanDifference{ Volume{block[1]}; Delete; }{ Volume{wedge[1]}; Delete; };

// This web follows a journal; after half a turn around y it precedes one.
For k In {0 : 3}
  follows[] = Duplicata { Volume{web[0]}; };
  before[] = Duplicata { Volume{web[0]}; };
  Rotate { {0, 1, 0}, {0, 0, 0}, Pi } { Volume{before[0]}; }
  If(k == 1 || k == 2)
    Rotate { {1, 0, 0}, {0, 0, 0}, Pi } { Volume{follows[0], before[0]}; }
  EndIf
  Translate { first_main + k * pitch + main_length, 0, 0 } { Volume{follows[0]}; }
  Translate { first_main + (k + 1) * pitch, 0, 0 } { Volume{before[0]}; }
  parts[] += {follows[0], before[0]};
EndFor
Recursive Delete { Volume{web[0]}; }

flange = newv;
Cylinder(flange) = {length - flange_thickness, 0, 0, flange_thickness, 0, 0, flange_radius};
If(flange_bolts > 0)
  holes[] = {};
  For k In {0 : flange_bolts - 1}
    angle = 2 * Pi * k / flange_bolts;
    hole = newv;
    Cylinder(hole) = {length - 2 * flange_thickness, bolt_circle * Cos(angle), bolt_circle * Sin(angle),
                      3 * flange_thickness, 0, 0, bolt_radius};
    holes[] += hole;
  EndFor
  drilled[] = BooleanDifference{ Volume{flange}; Delete; }{ Volume{holes[]}; Delete; };
  flange = drilled[0];
EndIf

steel[] = BooleanUnion{ Volume{parts[]}; Delete; }{ Volume{flange}; Delete; };

eps = 1e-4 * length;
reach = 2 * (throw + web_pin_radius + counterweight_radius + flange_radius);
cold[] = Surface In BoundingBox{-eps, -reach, -reach, eps, reach, reach};
hot[] = Surface In BoundingBox{length - eps, -reach, -reach, length + eps, reach, reach};
wall[] = Abs(Boundary{ Volume{steel[]}; });
wall[] -= {cold[], hot[]};

Physical Surface("hot") = {hot[]};
Physical Surface("cold") = {cold[]};
Physical Surface("wall") = {wall[]};
Physical Volume("steel") = {steel[]};

// Gmsh reads the edge length on curved surfaces as a number of edges per full circle: here edges of 0.6 lc on the
// fillets, elsewhere longer in proportion to the radius, up to lc. Half of lc doubles the number, so that meshes of
// different lc are similar.
edges_per_circle = Floor(2 * Pi * fillet / (0.6 * lc));
If(edges_per_circle < 4)
  edges_per_circle = 4;
EndIf
Mesh.MeshSizeMax = lc;
Mesh.MeshSizeFromCurvature = edges_per_circle;
Mesh.Algorithm = 6;
Mesh.Algorithm3D = 1;  // Delaunay; HXT (10) leaves fewer flat tetrahedra, but is not reproducible
Mesh.OptimizeThreshold = 0.45;  // improve tetrahedra below this quality; the best is 1
