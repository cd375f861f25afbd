#include "reference/serial.hpp"

#include <cmath>

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

std::vector<real> SerialMesh::stiffness(const std::vector<real>& x) const {
  const int d = mesh.dimension;
  std::vector<real> result(mesh.nodes(), 0);
  for (int c = 0; c < mesh.cells(); ++c) {
    const int* v = &mesh.cell_nodes[c * (d + 1)];
    std::vector<Vec3> gradient(d + 1);  // from the edge vectors, as in finite element texts
    const Vec3 a = mesh.points[v[1]] - mesh.points[v[0]], b = mesh.points[v[2]] - mesh.points[v[0]];
    const Vec3 e = d == 2 ? Vec3{0, 0, 1} : mesh.points[v[3]] - mesh.points[v[0]];
    const real det = dot(cross(a, b), e);
    gradient[1] = cross(b, e) / det;
    gradient[2] = cross(e, a) / det;
    if (d == 3) gradient[3] = cross(a, b) / det;
    for (int k = 1; k <= d; ++k) gradient[0] -= gradient[k];
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
