#include "case/checkpoint_output.hpp"

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/comm.hpp"
#include "base/error.hpp"
#include "case/case_settings.hpp"
#include "case/formula.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "mesh/mesh_fingerprint.hpp"
#include "mesh/refinement.hpp"
#include "mesh/submesh.hpp"
#include "model/quantity.hpp"
#include "physics/flow/boundary/turning_walls.hpp"
#include "physics/flow/flow_fields.hpp"
#include "physics/flow/reconstruct/velocity_reconstruction.hpp"
#include "physics/flow/zones/flow_zone.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

/// A component of a velocity in the settings of a case. Throws Error (bad input) for one that calls a [[table]].
Formula formula_of(const nlohmann::json& entry) {
  return entry.is_number() ? Formula(entry.get<double>()) : Formula(entry.get<std::string>());
}

/// A communicator of this rank alone. A file may be read within a guard on MPI_COMM_SELF, which forbids collective
/// calls on that one.
class OwnRank {
 public:
  OwnRank() { MPI_Comm_dup(MPI_COMM_SELF, &handle_); }
  ~OwnRank() { MPI_Comm_free(&handle_); }
  OwnRank(const OwnRank&) = delete;
  OwnRank& operator=(const OwnRank&) = delete;
  Comm comm() const { return Comm(handle_); }

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;
};

Vec3 vector_of(const nlohmann::json& numbers) {
  return {numbers.at(0).get<real>(), numbers.at(1).get<real>(), numbers.at(2).get<real>()};
}

/// The frame of [flow] or of a zone, if it turned.
std::optional<RotatingFrame> frame_of(const nlohmann::json& table, const char* key) {
  const nlohmann::json frame = table.value(key, nlohmann::json());
  if (!frame.is_object()) return std::nullopt;
  const Vec3 axis = vector_of(frame.at("axis"));
  return RotatingFrame{(frame.at("rate").get<real>() / norm(axis)) * axis, vector_of(frame.at("point"))};
}

ZonePlace place_of(const nlohmann::json& zone) {
  const auto shape = [&](const char* key) { return zone.value(key, nlohmann::json()); };
  if (const nlohmann::json box = shape("box"); box.is_object()) {
    return ZoneBox{vector_of(box.at("min")), vector_of(box.at("max"))};
  }
  if (const nlohmann::json cylinder = shape("cylinder"); cylinder.is_object()) {
    return ZoneCylinder{vector_of(cylinder.at("from")), vector_of(cylinder.at("to")),
                        cylinder.at("radius").get<real>()};
  }
  if (const nlohmann::json ball = shape("ball"); ball.is_object()) {
    return ZoneBall{vector_of(ball.at("centre")), ball.at("radius").get<real>()};
  }
  return ZoneRegion{zone.at("region").get<std::string>()};
}

/// Those that turned.
std::vector<FlowZone> turning_zones_of(const nlohmann::json& settings) {
  std::vector<FlowZone> turning;
  const nlohmann::json zones = settings.value("zone", nlohmann::json::object());
  if (!zones.is_object()) return turning;
  for (const auto& [name, zone] : zones.items()) {
    const std::optional<RotatingFrame> frame = zone.is_object() ? frame_of(zone, "rotating") : std::nullopt;
    if (frame) turning.push_back({.name = name, .place = place_of(zone), .rotating = frame});
  }
  return turning;
}

/// The condition of [boundary.NAME], with the velocity where fluid sticks to it, on walls and inlets; nullopt where the
/// settings do not say that. Others are open, except planes of symmetry and walls with a law: their velocity follows
/// from the fluxes.
std::optional<FlowBoundary> condition_of(const nlohmann::json& group, bool scales_inlets,
                                         const std::optional<RotatingFrame>& frame) {
  const std::string type = group.value("type", "");
  if (type == "symmetry" || group.value("wall", "") == "log-law") return Symmetry{};
  if (type != "wall" && type != "inlet") return Outlet{};
  const nlohmann::json velocity = group.value("velocity", nlohmann::json());
  const bool is_scaled = type == "inlet" && scales_inlets;
  if (is_scaled || group.contains("turbulence") || !velocity.is_array() || velocity.size() != 3) return std::nullopt;
  try {
    Coefficient<Vec3> known =
        given(std::array{formula_of(velocity[0]), formula_of(velocity[1]), formula_of(velocity[2])});
    const bool is_from_rest = group.value("seen_from", "") == "rest";
    if (frame && is_from_rest) known = frame->relative(known);
    return type == "wall" ? FlowBoundary(Wall{known, is_from_rest}) : FlowBoundary(Inlet{known});
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Of the patches of a mesh, some of which turn with zones; adds those whose velocity the settings do not say, and
/// which are open instead, to `not_said`.
FlowBoundaries conditions_of(const nlohmann::json& settings, const LocalMesh& mesh,
                             std::vector<std::string>& not_said) {
  const nlohmann::json groups = settings.value("boundary", nlohmann::json::object());
  const bool scales_inlets = settings.at("flow").value("balance", nlohmann::json()) == "inlets";
  const std::optional<RotatingFrame> frame = frame_of(settings.at("flow"), "frame");
  std::vector<FlowBoundary> of_patch;
  for (const std::string& patch : mesh.part().patches) {
    const std::optional<FlowBoundary> condition =
        condition_of(groups.value(patch, nlohmann::json::object()), scales_inlets, frame);
    if (!condition) not_said.push_back(patch);
    of_patch.push_back(condition.value_or(Outlet{}));
  }
  return with_turning_walls(std::move(of_patch), turning_zones_of(settings), mesh);
}

std::vector<std::pair<std::string, std::string>> pairs_of(const nlohmann::json& settings) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const nlohmann::json& pair : settings.value("periodic", nlohmann::json::array())) {
    pairs.emplace_back(pair.at("patches").at(0).get<std::string>(), pair.at("patches").at(1).get<std::string>());
  }
  return pairs;
}

std::vector<Vec3> velocities_at_nodes(const LocalMesh& mesh, MeshPart wide, const FlowBoundaries& boundaries,
                                      const std::vector<real>& fluxes, real time) {
  const WideHaloMesh wide_mesh(mesh, std::move(wide));
  VelocityReconstruction fit(mesh, wide_mesh, boundaries);
  fit.prepare(0);  // it is used once
  Field<Node, NodeVelocity> fitted(mesh);
  Field<Node, Vec3> velocity(mesh);
  compute_velocity(fit.fit(Field<Face>(mesh, fluxes), time, fitted), velocity);
  return velocity.to_host();
}

class CheckpointOutput : public ResultOutput {
 public:
  explicit CheckpointOutput(const fs::path& file)
      : file_(file),
        reader_(std::make_unique<CheckpointReader>(rank_.comm(), file)),
        header_(reader_->header()),
        settings_(nlohmann::json::parse(header_.settings, nullptr, false)) {
    require_input(settings_.is_object() && settings_.contains("flow"), [&] {
      return message("{}: is of a case without [flow]: a flow starts from the checkpoint of one", file.string());
    });
  }

  double time() const override { return header_.time; }
  int pieces() const override { return 1; }

  bool has(const std::string& name, int components) const override {
    load();
    const auto found = arrays_.find(name);
    return found != arrays_.end() && found->second.components == components;
  }

  ResultPiece piece(int, const std::string& name, int) const override {
    load();
    ResultPiece piece = mesh_;
    if (name.empty()) return piece;
    const Array& array = arrays_.at(name);
    piece.values = array.values;
    piece.is_in_cells = array.is_in_cells;
    return piece;
  }

  std::optional<double> number(const std::string& name) const override {
    load();
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

  std::vector<std::string> remarks() const override {
    load();
    if (of_fluxes_.empty()) return {};
    return {message("{}: on {} the velocity follows from the fluxes alone: that prescribed there is not in the file",
                    file_.string(), joined(of_fluxes_, ", "))};
  }

 private:
  struct Array {
    int components = 1;
    std::vector<real> values;
    bool is_in_cells = false;
  };

  /// Reads the file at the first use, and then closes it.
  void load() const {
    if (!reader_) return;
    std::optional<MeshSource> source = reader_->mesh();
    std::vector<int> owner;
    std::optional<GlobalMesh> whole;
    source->pairs = pairs_of(settings_);
    whole = build_topology(*source);
    owner.assign(static_cast<std::size_t>(whole->cells()), 0);
    const Comm alone = rank_.comm();
    MeshPart wide =
        distribute_refined(alone, std::exchange(whole, {}), owner, WideHaloMesh::layers, refinements_in(settings_));
    const LocalMesh mesh(alone, part_with_fewer_layers(wide, 1));
    require_input(header_.mesh == fingerprint_of(mesh), [&] {
      return message(
          "{}: numbers the nodes and cells of its mesh otherwise than this program does: take the `fields` "
          "of its run, or the version that wrote it",
          file_.string());
    });
    const auto fluxes = reader_->array("flux", mesh.numbering<Face>(), 1);
    require_input(fluxes.has_value(), [&] {
      return message(
          "{}: its fluxes are those of a part of its mesh, as beside solids: a flow starts from the `fields` "
          "of such a run, not from its checkpoint",
          file_.string());
    });
    const FlowBoundaries boundaries = conditions_of(settings_, mesh, of_fluxes_);
    keep_mesh(mesh.part());
    keep("velocity", mesh, flat(velocities_at_nodes(mesh, std::move(wide), boundaries, *fluxes, real(header_.time))),
         3);
    keep_scalars(mesh);
    keep_averages(mesh);
    reader_.reset();
  }

  void keep_mesh(const MeshPart& part) const {
    mesh_.dimension = part.dimension;
    mesh_.points = part.points;
    for (int c = 0; c < part.cells(); ++c) {
      const std::span<const int> corners = part.cell_points_of(c);
      mesh_.cells.insert(mesh_.cells.end(), corners.begin(), corners.end());
    }
  }

  /// Values at nodes; the copies of nodes beyond periodic pairs have those of their nodes.
  void keep(const std::string& name, const LocalMesh& mesh, std::vector<real> values, int components) const {
    const std::vector<int>& copies = mesh.part().copy_node;
    values.reserve(values.size() + copies.size() * static_cast<std::size_t>(components));
    for (const int node : copies) {
      for (int k = 0; k < components; ++k) values.push_back(values[components * node + k]);
    }
    arrays_[name] = {components, std::move(values)};
  }

  void keep_scalars(const LocalMesh& mesh) const {
    std::vector<std::pair<std::string, std::string>> names;  // in the case and in the file
    if (settings_.contains("temperature")) names.emplace_back("temperature", "heat_values");
    for (const nlohmann::json& scalar : settings_.value("scalar", nlohmann::json::array())) {
      const std::string name = scalar.value("name", "");
      names.emplace_back(name, name + "_values");
    }
    for (const auto& [name, in_file] : names) {
      if (auto values = reader_->array(in_file, mesh.numbering<Node>(), 1)) keep(name, mesh, std::move(*values), 1);
    }
  }

  void keep_averages(const LocalMesh& mesh) const {
    for (const std::string& name : reader_->left_over()) {
      if (!name.starts_with("average_")) continue;
      if (const auto count = reader_->integer(name)) numbers_[name] = static_cast<double>(*count);
      if (const auto number = reader_->number(name)) numbers_[name] = *number;
      for (const int components : {1, 3}) {
        if (auto values = reader_->array(name, mesh.numbering<Node>(), components)) {
          keep(name, mesh, std::move(*values), components);
        } else if (auto in_cells = reader_->array(name, mesh.numbering<Cell>(), components)) {
          arrays_[name] = {components, std::move(*in_cells), true};
        }
      }
    }
  }

  fs::path file_;
  OwnRank rank_;
  mutable std::unique_ptr<CheckpointReader> reader_;  // until load()
  CheckpointHeader header_;
  nlohmann::json settings_;
  mutable std::vector<std::string> of_fluxes_;  // patches
  mutable ResultPiece mesh_;
  mutable std::map<std::string, Array> arrays_;
  mutable std::map<std::string, double> numbers_;
};

}  // namespace

int refinements_in(const nlohmann::json& settings) {
  const nlohmann::json::json_pointer place("/mesh/refine");
  if (!settings.contains(place) || !settings[place].is_number_integer()) return 0;
  const auto times = settings[place].get<std::int64_t>();
  return times < 0 || times > most_refinements ? 0 : static_cast<int>(times);
}

std::unique_ptr<ResultOutput> read_checkpoint_output(const fs::path& file) {
  return std::make_unique<CheckpointOutput>(file);
}

}  // namespace solenoid
