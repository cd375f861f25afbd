#include "io/gmsh/gmsh_library.hpp"

#include <dlfcn.h>
#include <gmshc.h>

#include <cmath>
#include <filesystem>
#include <new>
#include <numeric>
#include <system_error>
#include <type_traits>

#include "base/error.hpp"

namespace solenoid::gmsh {

namespace {

constexpr int any_tag = -1;  // Gmsh chooses the number

/// Loads the library of the build, else the system's library of that name.
void* load_library() {
  const std::string file = SOLENOID_GMSH_LIBRARY;
  void* library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) library = dlopen(file.substr(file.rfind('/') + 1).c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library != nullptr) return library;
  throw Error(ExitCode::failure, message("Gmsh, which reads and makes meshes, cannot be loaded: {}; install it "
                                         "(Debian: libgmsh4.8)",
                                         dlerror()));
}

void* library() {
  static void* const loaded = load_library();
  return loaded;
}

template <class Function>
Function* function(const char* name) {
  void* const address = dlsym(library(), name);
  if (address != nullptr) return reinterpret_cast<Function*>(address);
  throw Error(ExitCode::failure, message("Gmsh is not of the version that this program was built with: {}", dlerror()));
}

/// Copies a list that Gmsh allocated, and frees it.
template <class T>
std::vector<T> taken(T* data, std::size_t size) {
  std::vector<T> list(data, data + size);
  function<decltype(gmshFree)>("gmshFree")(data);
  return list;
}

std::string taken(char* text) {
  std::string copy = text == nullptr ? "" : text;
  function<decltype(gmshFree)>("gmshFree")(text);
  return copy;
}

Entities taken_pairs(int* numbers, std::size_t size) {
  const std::vector<int> list = taken(numbers, size);
  Entities entities;
  for (std::size_t k = 0; k + 1 < list.size(); k += 2) entities.emplace_back(list[k], list[k + 1]);
  return entities;
}

std::vector<int> numbers_of(const Entities& entities) {
  std::vector<int> list;
  for (const auto& [dimension, number] : entities) list.insert(list.end(), {dimension, number});
  return list;
}

[[noreturn]] void fail() {
  char* text = nullptr;
  int unknown = 0;
  function<decltype(gmshLoggerGetLastError)>("gmshLoggerGetLastError")(&text, &unknown);
  const std::string reason = taken(text);
  if (reason.empty() || reason.starts_with("Out of memory")) throw std::bad_alloc();
  throw Failure(reason);
}

/// Calls Gmsh's function of that name and type, whose last argument reports a failure.
template <class Function, class... Arguments>
auto call(const char* name, Arguments... arguments) {
  int failed = 0;
  Function* const called = function<Function>(name);
  if constexpr (std::is_void_v<decltype(called(arguments..., &failed))>) {
    called(arguments..., &failed);
    if (failed != 0) fail();
  } else {
    const auto answer = called(arguments..., &failed);
    if (failed != 0) fail();
    return answer;
  }
}

}  // namespace

std::string library_file() {
  std::error_code code;
  const std::filesystem::path file = std::filesystem::canonical(SOLENOID_GMSH_LIBRARY, code);
  const auto size = code ? 0 : std::filesystem::file_size(file, code);
  return code ? "" : message("{} of {} bytes", file.filename().string(), size);
}

void initialize(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  call<decltype(gmshInitialize)>("gmshInitialize", static_cast<int>(pointers.size()), pointers.data(), 0);
}

namespace {

SizeCallback kept_callback;  // as long as Gmsh calls it

}  // namespace

void finalize() {
  call<decltype(gmshFinalize)>("gmshFinalize");
  kept_callback = nullptr;
}

void start_log() { call<decltype(gmshLoggerStart)>("gmshLoggerStart"); }

void stop_log() { call<decltype(gmshLoggerStop)>("gmshLoggerStop"); }

std::vector<std::string> log() {
  char** lines = nullptr;
  std::size_t count = 0;
  call<decltype(gmshLoggerGet)>("gmshLoggerGet", &lines, &count);
  std::vector<std::string> list;
  for (char* line : taken(lines, count)) list.push_back(taken(line));
  return list;
}

void set_option(const std::string& name, double value) {
  call<decltype(gmshOptionSetNumber)>("gmshOptionSetNumber", name.c_str(), value);
}

double number_option(const std::string& name) {
  double value = 0;
  call<decltype(gmshOptionGetNumber)>("gmshOptionGetNumber", name.c_str(), &value);
  return value;
}

std::string text_option(const std::string& name) {
  char* text = nullptr;
  call<decltype(gmshOptionGetString)>("gmshOptionGetString", name.c_str(), &text);
  return taken(text);
}

void merge(const std::string& file) { call<decltype(gmshMerge)>("gmshMerge", file.c_str()); }

void write(const std::string& file) { call<decltype(gmshWrite)>("gmshWrite", file.c_str()); }

int dimension_of_model() { return call<decltype(gmshModelGetDimension)>("gmshModelGetDimension"); }

Entities entities(int dimension) {
  int* numbers = nullptr;
  std::size_t size = 0;
  call<decltype(gmshModelGetEntities)>("gmshModelGetEntities", &numbers, &size, dimension);
  return taken_pairs(numbers, size);
}

namespace {

Entities boundary_of(const Entities& entities, int oriented) {
  std::vector<int> of = numbers_of(entities);
  int* numbers = nullptr;
  std::size_t size = 0;
  constexpr int combined = 0, recursive = 0;
  call<decltype(gmshModelGetBoundary)>("gmshModelGetBoundary", of.data(), of.size(), &numbers, &size, combined,
                                       oriented, recursive);
  return taken_pairs(numbers, size);
}

}  // namespace

Entities boundary(const Entities& entities) { return boundary_of(entities, 0); }

Entities oriented_boundary(const Entities& entities) { return boundary_of(entities, 1); }

Entities physical_groups(int dimension) {
  int* numbers = nullptr;
  std::size_t size = 0;
  call<decltype(gmshModelGetPhysicalGroups)>("gmshModelGetPhysicalGroups", &numbers, &size, dimension);
  return taken_pairs(numbers, size);
}

Extents extents_of_model() {
  double low[3] = {}, high[3] = {};
  constexpr int any_dimension = -1, any_entity = -1;
  call<decltype(gmshModelGetBoundingBox)>("gmshModelGetBoundingBox", any_dimension, any_entity, &low[0], &low[1],
                                          &low[2], &high[0], &high[1], &high[2]);
  return {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
}

void generate_mesh(int dimension) { call<decltype(gmshModelMeshGenerate)>("gmshModelMeshGenerate", dimension); }

void clear_mesh() {
  int* const everything = nullptr;
  call<decltype(gmshModelMeshClear)>("gmshModelMeshClear", everything, std::size_t{0});
}

Nodes nodes() {
  std::size_t* ids = nullptr;
  double *positions = nullptr, *parameters = nullptr;
  std::size_t id_count = 0, position_count = 0, parameter_count = 0;
  constexpr int any_dimension = -1, any_entity = -1, with_boundary = 0, with_parameters = 0;
  call<decltype(gmshModelMeshGetNodes)>("gmshModelMeshGetNodes", &ids, &id_count, &positions, &position_count,
                                        &parameters, &parameter_count, any_dimension, any_entity, with_boundary,
                                        with_parameters);
  taken(parameters, parameter_count);
  return {taken(ids, id_count), taken(positions, position_count)};
}

std::vector<Elements> elements(int dimension, int entity) {
  int* types = nullptr;
  std::size_t **ids = nullptr, **nodes = nullptr;
  std::size_t *id_counts = nullptr, *node_counts = nullptr;
  std::size_t type_count = 0, id_lists = 0, node_lists = 0;
  call<decltype(gmshModelMeshGetElements)>("gmshModelMeshGetElements", &types, &type_count, &ids, &id_counts, &id_lists,
                                           &nodes, &node_counts, &node_lists, dimension, entity);
  const std::vector<int> type = taken(types, type_count);
  const std::vector<std::size_t*> id = taken(ids, id_lists), node = taken(nodes, node_lists);
  const std::vector<std::size_t> ids_of = taken(id_counts, id_lists), nodes_of = taken(node_counts, node_lists);
  std::vector<Elements> all;
  for (std::size_t k = 0; k < type_count; ++k) {
    all.push_back({type[k], taken(id[k], ids_of[k]), taken(node[k], nodes_of[k])});
  }
  return all;
}

void set_text_option(const std::string& name, const std::string& value) {
  call<decltype(gmshOptionSetString)>("gmshOptionSetString", name.c_str(), value.c_str());
}

void set_size_callback(SizeCallback callback) {
  kept_callback = std::move(callback);
  if (!kept_callback) return call<decltype(gmshModelMeshRemoveSizeCallback)>("gmshModelMeshRemoveSizeCallback");
  constexpr auto ask = [](int dimension, int entity, double x, double y, double z, void*) {
    return kept_callback(dimension, entity, x, y, z);
  };
  call<decltype(gmshModelMeshSetSizeCallback)>("gmshModelMeshSetSizeCallback",
                                               static_cast<double (*)(int, int, double, double, double, void*)>(ask),
                                               static_cast<void*>(nullptr));
}

void add_physical_group(int dimension, const std::vector<int>& entities, int number, const std::string& name) {
  std::vector<int> list = entities;
  call<decltype(gmshModelAddPhysicalGroup)>("gmshModelAddPhysicalGroup", dimension, list.data(), list.size(), number);
  if (!name.empty()) {
    call<decltype(gmshModelSetPhysicalName)>("gmshModelSetPhysicalName", dimension, number, name.c_str());
  }
}

std::optional<std::array<int, 3>> colour(int dimension, int entity) {
  int red = 0, green = 0, blue = 0, opacity = 0;  // 0: the default colour
  call<decltype(gmshModelGetColor)>("gmshModelGetColor", dimension, entity, &red, &green, &blue, &opacity);
  if (opacity == 0) return std::nullopt;
  std::array<int, 3> shown{red, green, blue};
  for (int& part : shown) {  // OpenCASCADE has the intensities of light.  IEC 61966-2-1
    constexpr double most = 255, linear_end = 0.0031308;
    const double light = part / most;
    part = static_cast<int>(
        std::lround(most * (light <= linear_end ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055)));
  }
  return shown;
}

std::string type(int dimension, int entity) {
  char* text = nullptr;
  call<decltype(gmshModelGetType)>("gmshModelGetType", dimension, entity, &text);
  return taken(text);
}

std::array<double, 3> closest_point(int dimension, int entity, const std::array<double, 3>& place) {
  std::array<double, 3> at = place;
  double *found = nullptr, *parameters = nullptr;
  std::size_t found_count = 0, parameter_count = 0;
  call<decltype(gmshModelGetClosestPoint)>("gmshModelGetClosestPoint", dimension, entity, at.data(), at.size(), &found,
                                           &found_count, &parameters, &parameter_count);
  taken(parameters, parameter_count);
  const std::vector<double> point = taken(found, found_count);
  return {point.at(0), point.at(1), point.at(2)};
}

std::vector<int> bounded_by(int dimension, int entity) {
  int *higher = nullptr, *lower = nullptr;
  std::size_t higher_count = 0, lower_count = 0;
  call<decltype(gmshModelGetAdjacencies)>("gmshModelGetAdjacencies", dimension, entity, &higher, &higher_count, &lower,
                                          &lower_count);
  taken(lower, lower_count);
  return taken(higher, higher_count);
}

namespace occ {

namespace {

using Boolean = decltype(gmshModelOccCut);

Entities combine(const char* name, const Entities& objects, const Entities& tools, int remove_tools) {
  std::vector<int> object = numbers_of(objects), tool = numbers_of(tools);
  int *result = nullptr, **map = nullptr;
  std::size_t size = 0, *map_sizes = nullptr, map_size = 0;
  constexpr int remove_objects = 1;
  call<Boolean>(name, object.data(), object.size(), tool.data(), tool.size(), &result, &size, &map, &map_sizes,
                &map_size, any_tag, remove_objects, remove_tools);
  taken(map_sizes, map_size);
  for (int* list : taken(map, map_size)) taken(list, 0);
  return taken_pairs(result, size);
}

}  // namespace

Entities import(const std::string& file, const std::string& format) {
  int* numbers = nullptr;
  std::size_t size = 0;
  constexpr int highest_alone = 1;
  call<decltype(gmshModelOccImportShapes)>("gmshModelOccImportShapes", file.c_str(), &numbers, &size, highest_alone,
                                           format.c_str());
  return taken_pairs(numbers, size);
}

Entities fragments(const Entities& shapes) {
  return combine("gmshModelOccFragment", {shapes.front()}, {shapes.begin() + 1, shapes.end()}, 1);
}

Entities cut(const Entities& from, const Entities& shapes) { return combine("gmshModelOccCut", from, shapes, 0); }

int add_box(const std::array<double, 3>& low, const std::array<double, 3>& high) {
  return call<decltype(gmshModelOccAddBox)>("gmshModelOccAddBox", low[0], low[1], low[2], high[0] - low[0],
                                            high[1] - low[1], high[2] - low[2], any_tag);
}

int add_rectangle(const std::array<double, 3>& low, const std::array<double, 3>& high) {
  constexpr double sharp = 0;
  return call<decltype(gmshModelOccAddRectangle)>("gmshModelOccAddRectangle", low[0], low[1], low[2], high[0] - low[0],
                                                  high[1] - low[1], any_tag, sharp);
}

void remove(const Entities& shapes) {
  std::vector<int> list = numbers_of(shapes);
  constexpr int with_boundary = 1;
  call<decltype(gmshModelOccRemove)>("gmshModelOccRemove", list.data(), list.size(), with_boundary);
}

void synchronize() { call<decltype(gmshModelOccSynchronize)>("gmshModelOccSynchronize"); }

double mass(int dimension, int entity) {
  double value = 0;
  call<decltype(gmshModelOccGetMass)>("gmshModelOccGetMass", dimension, entity, &value);
  return value;
}

}  // namespace occ

namespace discrete {

int add(int dimension, const std::vector<double>& positions, const std::vector<std::size_t>& elements) {
  int* const no_boundary = nullptr;
  const int tag = call<decltype(gmshModelAddDiscreteEntity)>("gmshModelAddDiscreteEntity", dimension, any_tag,
                                                             no_boundary, std::size_t{0});
  std::vector<double> x = positions;
  std::vector<std::size_t> nodes = elements, ids(positions.size() / 3);
  std::iota(ids.begin(), ids.end(), std::size_t{1});
  double* const no_parameters = nullptr;
  if (!ids.empty()) {
    call<decltype(gmshModelMeshAddNodes)>("gmshModelMeshAddNodes", dimension, tag, ids.data(), ids.size(), x.data(),
                                          x.size(), no_parameters, std::size_t{0});
  }
  std::size_t* const any_ids = nullptr;
  call<decltype(gmshModelMeshAddElementsByType)>("gmshModelMeshAddElementsByType", tag, dimension, any_ids,
                                                 std::size_t{0}, nodes.data(), nodes.size());
  return tag;
}

void make_surfaces() {
  constexpr double flat = 3.14159;  // no edges beside the lines there are
  constexpr int open_too = 1, for_new_mesh = 1, in_kernel = 1;
  call<decltype(gmshModelMeshClassifySurfaces)>("gmshModelMeshClassifySurfaces", flat, open_too, for_new_mesh, flat,
                                                in_kernel);
  int* const everything = nullptr;
  call<decltype(gmshModelMeshCreateGeometry)>("gmshModelMeshCreateGeometry", everything, std::size_t{0});
}

int add_volume(const std::vector<std::vector<int>>& shells) {
  std::vector<int> loops;
  for (std::vector<int> surfaces : shells) {
    loops.push_back(call<decltype(gmshModelGeoAddSurfaceLoop)>("gmshModelGeoAddSurfaceLoop", surfaces.data(),
                                                               surfaces.size(), any_tag));
  }
  const int volume =
      call<decltype(gmshModelGeoAddVolume)>("gmshModelGeoAddVolume", loops.data(), loops.size(), any_tag);
  call<decltype(gmshModelGeoSynchronize)>("gmshModelGeoSynchronize");
  return volume;
}

}  // namespace discrete

}  // namespace solenoid::gmsh
