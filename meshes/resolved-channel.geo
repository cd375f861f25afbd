// Channel between walls at y = 0 and 2, pi long and pi/2 wide, for periodic pairs along x and z: rows of prisms over
// triangles without order, twice as long along x as along z. lc: their length along z [m]; the rows are .01 m thick at
// the walls and 1.5 lc in the middle.
DefineConstant[ lc = 0.09 ];
length = Pi;
width = Pi/2;
growth = 1 + 5*lc/3;
rows = Round(Log(1 + (growth - 1)/0.01)/Log(growth));

Point(1) = {0, 0, 0};
Point(2) = {length, 0, 0};
Point(3) = {length, 0, width};
Point(4) = {0, 0, width};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 3};
Line(4) = {1, 4};
Transfinite Curve {1, 3} = Round(length/(2*lc)) + 1;
Transfinite Curve {2, 4} = Round(width/lc) + 1;
Curve Loop(1) = {1, 2, -3, -4};
Plane Surface(1) = {1};

Field[1] = MathEvalAniso;  // one over the squares of the lengths
Field[1].M11 = Sprintf("%g", 1/(2*lc)^2);
Field[1].M22 = Sprintf("%g", 1/lc^2);
Field[1].M33 = Sprintf("%g", 1/lc^2);
Field[1].M12 = "0";
Field[1].M13 = "0";
Field[1].M23 = "0";
Background Field = 1;
Mesh.CharacteristicLengthExtendFromBoundary = 0;
Mesh.CharacteristicLengthFromPoints = 0;
Mesh.Algorithm = 7;

For k In {1:rows}
  one[k-1] = 1;
  lower[k-1] = (growth^k - 1)/(growth^rows - 1);
  upper[k-1] = 1 - (growth^(rows - k) - 1)/(growth^rows - 1);
EndFor
// below[0], above[0]: the middle and the upper wall, [1]: volumes, [2..5]: sides swept by lines 1..4
below[] = Extrude {0, 1, 0} { Surface{1}; Layers{one[], lower[]}; Recombine; };
above[] = Extrude {0, 1, 0} { Surface{below[0]}; Layers{one[], upper[]}; Recombine; };

Physical Surface("wall") = {1, above[0]};
Physical Surface("back") = {below[2], above[2]};
Physical Surface("right") = {below[3], above[3]};
Physical Surface("front") = {below[4], above[4]};
Physical Surface("left") = {below[5], above[5]};
Physical Volume("fluid") = {below[1], above[1]};
