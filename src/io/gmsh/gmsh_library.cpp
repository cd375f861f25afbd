#include "io/gmsh/gmsh_library.hpp"

#include <dlfcn.h>
#include <gmshc.h>

#include <new>
#include <type_traits>

#include "base/error.hpp"

namespace solenoid::gmsh {

namespace {

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
  if (reason.empty()) throw std::bad_alloc();
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

void load() { library(); }

void initialize(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  call<decltype(gmshInitialize)>("gmshInitialize", static_cast<int>(pointers.size()), pointers.data(), 0);
}

void finalize() { call<decltype(gmshFinalize)>("gmshFinalize"); }

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

Entities boundary(const Entities& entities) {
  std::vector<int> of = numbers_of(entities);
  int* numbers = nullptr;
  std::size_t size = 0;
  constexpr int combined = 0, oriented = 0, recursive = 0;
  call<decltype(gmshModelGetBoundary)>("gmshModelGetBoundary", of.data(), of.size(), &numbers, &size, combined,
                                       oriented, recursive);
  return taken_pairs(numbers, size);
}

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

}  // namespace solenoid::gmsh
