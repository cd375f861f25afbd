#include "io/msh/msh_sections.hpp"

#include <array>

#include "base/error.hpp"

namespace solenoid {

namespace {

/// The line with the number of nodes or elements, also text in binary files.
std::int64_t count_line(MshInput& in, const std::string& section, const char* what, std::uint64_t bytes_each) {
  in.enter(section, false);
  in.begin_record();
  const std::int64_t count = in.count(what, bytes_each);
  in.end_record();
  return count;
}

/// Reads the tags of an element: its group, which is returned, its entity, and its partitions.
int read_tags(MshInput& in, int tags) {
  int group = 0;
  std::int64_t expected = tags;
  for (int k = 0; k < tags; ++k) {
    const int tag = in.integer(k == 0 ? "the physical group" : k == 1 ? "the entity" : "a tag", k < 3 ? 0 : -1 << 30);
    if (k == 0) group = tag;
    if (k == 2) expected = std::int64_t{tag} + 3;
  }
  if (expected != tags) {
    in.fail(
        message("has {} tags, the third of which tells of {} partitions; expected {} tags, as in a mesh without "
                "parents of elements (Gmsh writes it with the option Mesh.SaveTri = 1)",
                tags, expected - 3, expected));
  }
  return group;
}

void check_tag_count(MshInput& in, int tags) {
  constexpr int most = 1000;
  if (tags > most) in.fail(message("found {} for the number of tags, expected {} at most", tags, most));
}

int begin_element(MshInput& in, IdSet& seen) {
  in.set_subject("element");
  const int id = in.integer("the element's number", 1);
  in.set_subject("element", id);
  if (!seen.insert(id)) {
    in.fail("is there a second time, expected a number of its own for each element; write the mesh again");
  }
  return id;
}

/// Reads the rest of an element.
void read_element(MshInput& in, MshContents& contents, int id, const MshElementType& type, int tags) {
  const int group = read_tags(in, tags);
  std::array<std::int64_t, most_corners> corners{};
  for (int k = 0; k < type.nodes; ++k) {
    const int node = in.integer("a node of the element", 1);
    check_node_of_element(in, contents, node);
    if (k < most_corners) corners[static_cast<std::size_t>(k)] = node;
  }
  append_element(contents, group, id, type.shape, corners);
}

/// Each group is an entity in a group of the same number.
void enter_groups(MshRecords& records) {
  for (std::size_t d = 0; d < records.elements.size(); ++d) {
    for (const MshElements::Run& run : records.elements[d].runs) {
      if (run.entity != 0) records.groups[d][run.entity] = {run.entity};
    }
  }
}

void check_text_elements(MshInput& in, MshContents& contents, std::int64_t count, IdSet& seen) {
  for (std::int64_t k = 0; k < count; ++k) {
    in.begin_record();
    const int id = begin_element(in, seen), number = in.integer("the element type", 1);
    const MshElementType type = element_type(in, number);
    ++contents.elements[number];
    const int tags = in.integer("the number of tags", 0);
    check_tag_count(in, tags);
    read_element(in, contents, id, type, tags);
    in.end_record();
  }
}

void check_binary_elements(MshInput& in, MshContents& contents, std::int64_t count, IdSet& seen) {
  for (std::int64_t k = 0; k < count;) {
    in.set_subject("block of elements");
    in.begin_record();
    const int number = in.integer("the element type", 1);
    const MshElementType type = element_type(in, number);
    const int inside = in.integer("the number of elements", 1), tags = in.integer("the number of tags", 0);
    check_tag_count(in, tags);
    if (inside > count - k) {
      in.fail(
          message("has {} elements, but of the section's {} only {} are left; the file is damaged: write the mesh "
                  "again",
                  inside, count, count - k));
    }
    contents.elements[number] += inside;
    in.require_room(inside, "elements", 4 * static_cast<std::uint64_t>(1 + tags + type.nodes));
    for (int j = 0; j < inside; ++j) {
      in.begin_record();
      read_element(in, contents, begin_element(in, seen), type, tags);
    }
    k += inside;
  }
}

}  // namespace

void check_nodes_22(MshInput& in, MshContents& contents) {
  const std::int64_t count = count_line(in, "$Nodes", "nodes", contents.binary ? 28 : 8);
  contents.nodes = IdSet(count);
  in.enter("$Nodes", contents.binary);
  for (std::int64_t k = 0; k < count; ++k) {
    in.set_subject("node");
    in.begin_record();
    const int id = in.integer("the node's number", 1);
    in.set_subject("node", id);
    contents.records.node_ids.push_back(id);
    for (const char* axis : {"x", "y", "z"}) contents.records.positions.push_back(in.real(axis));
    in.end_record();
    if (!contents.nodes.insert(id)) in.fail("is there a second time, expected a number of its own for each node");
  }
  in.end_section();
}

void check_elements_22(MshInput& in, MshContents& contents) {
  const std::int64_t count = count_line(in, "$Elements", "elements", contents.binary ? 8 : 7);
  IdSet seen(count);
  in.enter("$Elements", contents.binary);
  (contents.binary ? check_binary_elements : check_text_elements)(in, contents, count, seen);
  in.end_section();
  enter_groups(contents.records);
  require_cells(in, contents);
}

}  // namespace solenoid
