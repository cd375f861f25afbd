#include "mesh/mesh_rows.hpp"

#include <type_traits>
#include <utility>

#include "mesh/host_exchange.hpp"

namespace solenoid {

std::optional<MeshSource> shared_by_rows(const Comm& comm, std::optional<MeshSource> mesh) {
  const auto dimension = static_cast<int>(comm.max(std::int64_t{mesh ? mesh->dimension : 0}));
  if (comm.size() == 1 || dimension == 0) return mesh;
  MeshSource whole = mesh ? std::move(*mesh) : MeshSource(), own;
  mesh.reset();
  own.dimension = dimension;
  own.name = comm.broadcast(whole.name), own.origin = whole.origin, own.pairs = whole.pairs;
  own.regions = names_of_root(comm, whole.regions), own.patches = names_of_root(comm, whole.patches);
  const auto share = [&](auto& values, auto& into, std::int64_t columns) {
    using Values = std::remove_reference_t<decltype(values)>;
    std::vector<Values> blocks(static_cast<std::size_t>(comm.size()));
    const std::int64_t rows = std::ssize(values) / columns, ranks = comm.size();
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      blocks[rank].assign(values.begin() + rows * rank / ranks * columns,
                          values.begin() + rows * (rank + 1) / ranks * columns);
    }
    values = Values();
    into = std::move(exchange_lists(comm, blocks).front());
  };
  share(whole.points, own.points, 1);
  share(whole.point_ids, own.point_ids, 1);
  share(whole.cells, own.cells, dimension + 1);
  share(whole.cell_ids, own.cell_ids, 1);
  share(whole.cell_region, own.cell_region, 1);
  share(whole.boundary_faces, own.boundary_faces, dimension);
  share(whole.boundary_patch, own.boundary_patch, 1);
  return own;
}

Box box_of_ranks(const Comm& comm, const Box& own) {
  return {{comm.min(own.low.x), comm.min(own.low.y), comm.min(own.low.z)},
          {comm.max(own.high.x), comm.max(own.high.y), comm.max(own.high.z)}};
}

std::vector<std::string> names_of_root(const Comm& comm, const std::vector<std::string>& names) {
  const std::int64_t count = comm.max(comm.is_root() ? std::ssize(names) : std::int64_t{0});
  std::vector<std::string> result(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) result[i] = comm.broadcast(comm.is_root() ? names[i] : "");
  return result;
}

}  // namespace solenoid
