#include "reference/serial.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace solenoid::test {

SerialMesh::SerialMesh(const MeshSource& source) : mesh(build_topology(source)) {
  const int d = mesh.dimension;
  for (int c = 0; c < mesh.cells(); ++c) {
    const int* v = &mesh.cell_nodes[c * (d + 1)];
    Vec3 centre;
    for (int k = 0; k <= d; ++k) centre += mesh.points[v[k]] / static_cast<real>(d + 1);
    cell_centre_.push_back(centre);
    const Vec3 a = mesh.points[v[1]] - mesh.points[v[0]], b = mesh.points[v[2]] - mesh.points[v[0]];
    volume_.push_back(d == 2 ? std::abs(cross(a, b).z) / 2
                             : std::abs(dot(cross(a, b), mesh.points[v[3]] - mesh.points[v[0]])) / 6);
  }
  for (int f = 0; f < mesh.faces(); ++f) {
    Vec3 centre;
    for (int k = 0; k < d; ++k) centre += mesh.points[mesh.face_nodes[f * d + k]] / static_cast<real>(d);
    face_centre_.push_back(centre);
  }
  for (int c = 0; c < mesh.cells(); ++c) {
    for (int k = 0; k <= d; ++k) {  // the sign from geometry, not from the order of nodes as in the program
      const int f = mesh.cell_faces[c * (d + 1) + k];
      const int* v = &mesh.face_nodes[f * d];
      const Vec3 along = mesh.points[v[1]] - mesh.points[v[0]];
      const Vec3 normal = d == 2 ? Vec3{along.y, -along.x, 0} : cross(along, mesh.points[v[2]] - mesh.points[v[0]]);
      sides_.push_back({c, f, dot(normal, face_centre_[f] - cell_centre_[c]) > 0 ? 1 : -1});
    }
  }
}

std::vector<real> SerialMesh::divergence(const std::vector<real>& flux) const {
  std::vector<real> result(mesh.cells(), 0);
  for (const Side& s : sides_) result[s.cell] += s.sign * flux[s.face];
  return result;
}

std::vector<real> SerialMesh::gradient(const std::vector<real>& pressure) const {
  std::vector<real> result(mesh.faces(), 0);
  for (const Side& s : sides_) result[s.face] -= s.sign * pressure[s.cell];
  return result;
}

std::vector<real> SerialMesh::curl(const std::vector<real>& s) const {
  std::vector<real> result(mesh.faces(), 0);
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.dimension == 2) {
      result[f] = s[mesh.face_nodes[2 * f + 1]] - s[mesh.face_nodes[2 * f]];
    } else {
      result[f] = s[mesh.face_edges[3 * f]] + s[mesh.face_edges[3 * f + 1]] - s[mesh.face_edges[3 * f + 2]];
    }
  }
  return result;
}

std::vector<real> SerialMesh::rotation(const std::vector<real>& a) const {
  std::vector<real> result(mesh.edges(), 0);
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.dimension == 2) {
      result[mesh.face_nodes[2 * f + 1]] += a[f];
      result[mesh.face_nodes[2 * f]] -= a[f];
    } else {
      result[mesh.face_edges[3 * f]] += a[f];
      result[mesh.face_edges[3 * f + 1]] += a[f];
      result[mesh.face_edges[3 * f + 2]] -= a[f];
    }
  }
  return result;
}

std::vector<Vec3> SerialMesh::interpolation(const std::vector<real>& flux) const {
  std::vector<Vec3> result(mesh.cells());
  for (const Side& s : sides_) {
    result[s.cell] += (s.sign * flux[s.face] / volume_[s.cell]) * (face_centre_[s.face] - cell_centre_[s.cell]);
  }
  return result;
}

std::vector<real> SerialMesh::integration(const std::vector<Vec3>& a) const {
  std::vector<real> result(mesh.faces(), 0);
  for (const Side& s : sides_) result[s.face] += s.sign * dot(a[s.cell], face_centre_[s.face] - cell_centre_[s.cell]);
  return result;
}

std::vector<Vec3> SerialMesh::shape_gradients(int c) const {
  const int d = mesh.dimension;
  const int* v = &mesh.cell_nodes[c * (d + 1)];
  std::vector<Vec3> gradient(d + 1);  // from the edge vectors, as in finite element texts
  const Vec3 a = mesh.points[v[1]] - mesh.points[v[0]], b = mesh.points[v[2]] - mesh.points[v[0]];
  const Vec3 e = d == 2 ? Vec3{0, 0, 1} : mesh.points[v[3]] - mesh.points[v[0]];
  const real det = dot(cross(a, b), e);
  gradient[1] = cross(b, e) / det;
  gradient[2] = cross(e, a) / det;
  if (d == 3) gradient[3] = cross(a, b) / det;
  for (int k = 1; k <= d; ++k) gradient[0] -= gradient[k];
  return gradient;
}

std::vector<real> SerialMesh::edge_gradient(const std::vector<real>& p) const {
  std::vector<real> result;
  for (int e = 0; e < mesh.edges(); ++e) result.push_back(p[mesh.edge_nodes[2 * e + 1]] - p[mesh.edge_nodes[2 * e]]);
  return result;
}

std::vector<real> SerialMesh::line_integrals(const std::vector<Vec3>& v) const {
  std::vector<real> result;
  for (int e = 0; e < mesh.edges(); ++e) {
    const int a = mesh.edge_nodes[2 * e], b = mesh.edge_nodes[2 * e + 1];
    result.push_back(dot(mesh.points[b] - mesh.points[a], v[a] + v[b]) / 2);
  }
  return result;
}

std::vector<real> SerialMesh::stiffness(const std::vector<real>& x) const {
  const int d = mesh.dimension;
  std::vector<real> result(mesh.nodes(), 0);
  for (int c = 0; c < mesh.cells(); ++c) {
    const int* v = &mesh.cell_nodes[c * (d + 1)];
    const std::vector<Vec3> gradient = shape_gradients(c);
    Vec3 of_x;
    for (int k = 0; k <= d; ++k) of_x += x[v[k]] * gradient[k];
    for (int k = 0; k <= d; ++k) result[v[k]] += volume_[c] * dot(gradient[k], of_x);
  }
  return result;
}

std::vector<real> SerialMesh::mass(const std::vector<real>& x) const {
  const int d = mesh.dimension;
  std::vector<real> result(mesh.nodes(), 0);
  for (int c = 0; c < mesh.cells(); ++c) {
    const int* v = &mesh.cell_nodes[c * (d + 1)];
    real sum = 0;
    for (int k = 0; k <= d; ++k) sum += x[v[k]];
    for (int k = 0; k <= d; ++k) result[v[k]] += volume_[c] / ((d + 1) * (d + 2)) * (sum + x[v[k]]);
  }
  return result;
}

std::vector<real> SerialMesh::inner_conductance() const {
  std::vector<real> result(mesh.faces(), 0);
  for (int f = 0; f < mesh.faces(); ++f) {
    const int first = mesh.face_cells[2 * f], second = mesh.face_cells[2 * f + 1];
    if (second < 0) continue;
    const int* v = &mesh.face_nodes[f * mesh.dimension];
    const Vec3 along = mesh.points[v[1]] - mesh.points[v[0]];
    const Vec3 across = mesh.dimension == 2 ? Vec3{0, 0, 1} : (mesh.points[v[2]] - mesh.points[v[0]]) / 2;
    const Vec3 area = cross(along, across);
    result[f] = dot(area, area) / std::abs(dot(area, cell_centre_[second] - cell_centre_[first]));
  }
  return result;
}

std::vector<real> SerialMesh::two_point_laplacian(const std::vector<real>& w, const std::vector<real>& p) const {
  std::vector<real> result(mesh.cells(), 0);
  for (int f = 0; f < mesh.faces(); ++f) {
    const int first = mesh.face_cells[2 * f], second = mesh.face_cells[2 * f + 1];
    const real flux = w[f] * (p[first] - (second < 0 ? 0 : p[second]));
    result[first] += flux;
    if (second >= 0) result[second] -= flux;
  }
  return result;
}

std::vector<real> SerialMesh::curl_curl(const std::vector<real>& x) const {
  if (mesh.dimension == 2) return stiffness(x);
  const std::map<std::pair<int, int>, int> edge_of = edges_between_nodes();
  std::vector<real> result(mesh.edges(), 0);
  for (int c = 0; c < mesh.cells(); ++c) {
    const int* v = &mesh.cell_nodes[4 * c];
    const std::vector<Vec3> gradient = shape_gradients(c);
    std::vector<std::pair<int, Vec3>> curls;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        if (v[i] < v[j]) curls.emplace_back(edge_of.at({v[i], v[j]}), 2 * cross(gradient[i], gradient[j]));
      }
    }
    Vec3 of_x;
    for (const auto& [e, curl] : curls) of_x += x[e] * curl;
    for (const auto& [e, curl] : curls) result[e] += volume_[c] * dot(curl, of_x);
  }
  return result;
}

std::map<std::pair<int, int>, int> SerialMesh::edges_between_nodes() const {
  std::map<std::pair<int, int>, int> edge_of;
  for (int e = 0; e < mesh.edges(); ++e) edge_of[{mesh.edge_nodes[2 * e], mesh.edge_nodes[2 * e + 1]}] = e;
  return edge_of;
}

std::vector<real> SerialMesh::barycentric(int point) const {
  const int d = mesh.dimension;
  const real other = (1 - 1 / std::sqrt(real(d + 2))) / (d + 1);
  std::vector<real> lambda(d + 1, other);
  lambda[point] = 1 - d * other;
  return lambda;
}

std::vector<real> SerialMesh::edge_mass(const std::vector<real>& x) const {
  if (mesh.dimension == 2) return mass(x);
  const std::map<std::pair<int, int>, int> edge_of = edges_between_nodes();
  std::vector<real> result(mesh.edges(), 0);
  for (int c = 0; c < mesh.cells(); ++c) {
    const int* v = &mesh.cell_nodes[4 * c];
    const std::vector<Vec3> gradient = shape_gradients(c);
    for (int point = 0; point < 4; ++point) {
      const std::vector<real> lambda = barycentric(point);
      std::vector<std::pair<int, Vec3>> functions;
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          if (v[i] > v[j] || i == j) continue;
          functions.emplace_back(edge_of.at({v[i], v[j]}), lambda[i] * gradient[j] - lambda[j] * gradient[i]);
        }
      }
      Vec3 of_x;
      for (const auto& [e, phi] : functions) of_x += x[e] * phi;
      for (const auto& [e, phi] : functions) result[e] += volume_[c] / 4 * dot(phi, of_x);
    }
  }
  return result;
}

std::vector<real> SerialMesh::rt0_mass(const std::vector<real>& flux) const {
  const int d = mesh.dimension;
  std::vector<real> result(mesh.faces(), 0);
  for (int c = 0; c < mesh.cells(); ++c) {
    for (int point = 0; point <= d; ++point) {
      const std::vector<real> lambda = barycentric(point);
      Vec3 x;
      for (int k = 0; k <= d; ++k) x += lambda[k] * mesh.points[mesh.cell_nodes[c * (d + 1) + k]];
      std::vector<Vec3> phi;
      Vec3 u;
      for (int k = 0; k <= d; ++k) {
        const Side& side = sides_[c * (d + 1) + k];  // opposite corner k
        phi.push_back((side.sign / (d * volume_[c])) * (x - mesh.points[mesh.cell_nodes[c * (d + 1) + k]]));
        u += flux[side.face] * phi[k];
      }
      for (int k = 0; k <= d; ++k) result[sides_[c * (d + 1) + k].face] += volume_[c] / (d + 1) * dot(phi[k], u);
    }
  }
  return result;
}

std::vector<real> SerialMesh::face_diffusion(const std::vector<real>& conductance,
                                             const std::vector<real>& flux) const {
  const std::vector<Vec3> u = interpolation(flux);
  std::vector<Vec3> friction(mesh.cells());
  for (real Vec3::*component : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    std::vector<real> along;
    for (const Vec3& at : u) along.push_back(at.*component);
    along = two_point_laplacian(conductance, along);
    for (int c = 0; c < mesh.cells(); ++c) friction[c].*component = along[c] / volume_[c];
  }
  return integration(friction);
}

std::vector<real> solve_dense(std::vector<real> a, std::vector<real> b) {
  const int n = static_cast<int>(b.size());
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
    std::swap(b[k], b[pivot]);
    for (int i = k + 1; i < n; ++i) {
      const real factor = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return b;
}

}  // namespace solenoid::test
