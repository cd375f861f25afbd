#include "physics/tracer/cell_neighbours.hpp"

#include <cstdlib>

#include "operators/assemble.hpp"

namespace solenoid {

CellNeighbours::CellNeighbours(const LocalMesh& mesh) : mesh_(mesh), place_(mesh.part().points) {
  const MeshPart& part = mesh.part();
  const CellsOfFaces cells_of(part);
  std::vector<int> beyond;
  std::vector<signed char> turn;
  for (int c = 0; c < part.cells(); ++c) {
    for (const int f : part.cell_faces_of(c)) {
      const int patch = part.face_patch[f], other = cells_of.across(f, c);
      beyond.push_back(patch >= 0 ? -2 - patch : other >= 0 ? other : View::unknown);
      if (part.pairs.empty()) continue;
      int pair = other >= 0 ? part.face_pair[f] : 0;
      if (pair != 0) {  // the face in the other cell lies ahead by the translation, or behind
        const int k = std::abs(pair) - 1;
        const Vec3 shift = part.shift_to_cell(f, other) - part.shift_to_cell(f, c);
        pair = dot(shift, part.pairs[static_cast<std::size_t>(k)].translation) > 0 ? k + 1 : -(k + 1);
      }
      turn.push_back(static_cast<signed char>(pair));
    }
  }
  beyond_ = DeviceArray<int>(beyond);
  if (part.pairs.empty()) return;
  std::vector<Vec3> translations;
  for (const PeriodicPair& pair : part.pairs) translations.push_back(pair.translation);
  turn_ = DeviceArray<signed char>(turn);
  translation_ = DeviceArray<Vec3>(translations);
}

CellNeighbours::View CellNeighbours::view() const {
  return {mesh_.part().corners(), mesh_.cell_points(), mesh_.cell_nodes(),
          place_.data(),          beyond_.data(),      turn_.size() > 0 ? turn_.data() : nullptr,
          translation_.data()};
}

}  // namespace solenoid
