#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "base/error.hpp"
#include "io/msh/msh_sections.hpp"

namespace solenoid {

namespace {

constexpr const char* entity_kinds[] = {"point", "curve", "surface", "volume"};

int read_dimension(MshInput& in, const char* what) {
  const int dimension = in.integer(what, 0);
  if (dimension > 3) in.fail(message("found {} for {}, expected 0, 1, 2 or 3", dimension, what));
  return dimension;
}

/// Reads a list: its count, then its numbers.
std::vector<int> read_list(MshInput& in, const char* count_name, const char* what, std::uint64_t bytes_each,
                           int least) {
  const std::int64_t count = in.count(count_name, bytes_each);
  std::vector<int> list;
  for (std::int64_t k = 0; k < count; ++k) {
    list.push_back(in.integer(what, least));
    if (list.back() == 0) in.fail(message("found 0 for {}, expected another number", what));
  }
  return list;
}

constexpr int any = std::numeric_limits<int>::min();
constexpr std::int64_t largest_node = std::numeric_limits<std::int32_t>::max();

/// Checks the entities of a section: each has a number, a point or box, groups and, from curves on, a boundary.
void check_entities(MshInput& in, MshContents& contents, bool partitioned) {
  in.begin_record();
  std::array<std::int64_t, 4> counts;
  for (std::size_t d = 0; d < 4; ++d) {
    counts[d] = in.count((std::string(entity_kinds[d]) + "s").c_str(), contents.binary ? 36 : 9);
  }
  in.end_record();
  const std::uint64_t bytes_each = contents.binary ? 4 : 2;
  for (std::size_t d = 0; d < 4; ++d) {
    for (std::int64_t k = 0; k < counts[d]; ++k) {
      in.set_subject(entity_kinds[d]);
      in.begin_record();
      const int tag = in.integer("its number", 1);
      in.set_subject(entity_kinds[d], tag);
      if (!contents.entities[d].insert(tag).second) in.fail("is there a second time, expected each entity once");
      if (partitioned) {
        const int dimension = read_dimension(in, "the dimension of its parent"), parent = in.integer("its parent", 0);
        if (parent != 0 && contents.entities[static_cast<std::size_t>(dimension)].count(parent) == 0) {
          in.fail(message("its parent is the {} {}, which is not in $Entities", entity_kinds[dimension], parent));
        }
        read_list(in, "partitions", "a partition", bytes_each, 1);
      }
      for (int x = 0; x < (d == 0 ? 3 : 6); ++x) in.real("a coordinate");
      std::vector<int>& groups = contents.records.groups[d][tag];
      groups = read_list(in, "physical groups", "a physical group", bytes_each, any);
      for (int& group : groups) group = std::abs(group);  // the sign is an orientation
      if (d > 0) read_list(in, "entities on its boundary", "an entity on its boundary", bytes_each, any);
      in.end_record();
    }
  }
  contents.has_entities = true;
}

/// First line of $Nodes and $Elements.
struct Header {
  std::int64_t blocks, total, lowest, highest;
  std::int64_t left;  ///< of `total`, not yet in a block
};

Header read_header(MshInput& in, const char* what, std::uint64_t block_bytes, std::uint64_t bytes_each) {
  in.begin_record();
  Header header{};
  header.blocks = in.count("blocks", block_bytes);
  header.total = header.left = in.count(what, bytes_each);
  header.lowest = in.number("the lowest number");
  header.highest = in.number("the highest number");
  in.end_record();
  return header;
}

/// The entity of a block, and the number of its nodes or elements.
struct Block {
  int dimension, entity;
  int word;  ///< nodes: whether they have parameters; elements: their type
  std::int64_t size;
};

Block read_block(MshInput& in, const char* subject, const char* word, const char* what, Header& header) {
  in.set_subject(subject);
  in.begin_record();
  Block block{};
  block.dimension = read_dimension(in, "the dimension of its entity");
  block.entity = in.integer("the number of its entity", 1);
  block.word = in.integer(word, 0);
  block.size = in.number("how many it has");
  in.end_record();
  if (block.size > header.left) {
    in.fail(message("has {} {}, but of the section's {} only {} are left; the file is damaged: write the mesh again",
                    block.size, what, header.total, header.left));
  }
  header.left -= block.size;
  return block;
}

void require_entity(const MshInput& in, const MshContents& contents, const Block& block) {
  if (contents.entities[static_cast<std::size_t>(block.dimension)].count(block.entity) != 0) return;
  in.fail(message("is of the {} {}, which is not among the entities of the file; it is damaged: write the mesh again",
                  entity_kinds[block.dimension], block.entity));
}

/// Those of a block's nodes or elements that are in the share, and the numbers of those in front of and behind them.
struct Part {
  std::uint64_t before, size, behind;
};

Part part_of(const Block& block, const Header& header, const MshShare& share) {
  const auto place = [&](std::int64_t of_section) {
    return static_cast<std::uint64_t>(
        std::clamp<std::int64_t>(of_section - (header.total - header.left - block.size), 0, block.size));
  };
  const std::uint64_t begin = place(share.begin(header.total)), end = place(share.end(header.total));
  return {begin, end - begin, static_cast<std::uint64_t>(block.size) - end};
}

/// The number of a node or element: in the range of the header and, unless `seen` is null, new.
std::int64_t read_id(MshInput& in, const char* kind, const Header& header, IdSet* seen) {
  const std::int64_t id = in.id("its number");
  in.set_subject(kind, id);
  if (id < header.lowest || id > header.highest) {
    in.fail(
        message("is out of the range {} to {} that the section's first line tells; the file is damaged: write the "
                "mesh again",
                header.lowest, header.highest));
  }
  if (seen && !seen->insert(id)) {
    in.fail(message("is there a second time, expected a number of its own for each {}", kind));
  }
  return id;
}

void require_all(const MshInput& in, const Header& header, const char* what) {
  if (header.left == 0) return;
  in.fail(
      message("the section's first line tells of {} {}, its blocks have {}; the file is damaged: write the mesh "
              "again",
              header.total, what, header.total - header.left));
}

}  // namespace

void check_entities_41(MshInput& in, MshContents& contents) {
  in.enter("$Entities", contents.binary);
  check_entities(in, contents, false);
  in.end_section();
}

void check_partitioned_entities_41(MshInput& in, MshContents& contents) {
  in.enter("$PartitionedEntities", contents.binary);
  in.begin_record();
  in.number("the number of partitions");
  in.end_record();
  in.begin_record();
  const std::int64_t ghosts = in.number("the number of ghost entities");
  in.end_record();
  if (ghosts > 0) {
    in.fail(
        message("found {} ghost entities, expected none: write the mesh with the option "
                "Mesh.PartitionCreateGhostCells = 0, or in one part",
                ghosts));
  }
  check_entities(in, contents, true);
  in.end_section();
}

void check_nodes_41(MshInput& in, MshContents& contents) {
  const bool binary = contents.binary;
  in.enter("$Nodes", binary);
  Header header = read_header(in, "nodes", binary ? 20 : 8, binary ? 32 : 8);
  if (contents.share.is_whole()) contents.nodes = IdSet(header.total);
  for (std::int64_t b = 0; b < header.blocks; ++b) {
    const Block block = read_block(in, "block of nodes", "whether they have parameters", "nodes", header);
    if (contents.has_entities) {
      require_entity(in, contents, block);
    } else {
      contents.entities[static_cast<std::size_t>(block.dimension)].insert(block.entity);
    }
    if (block.word > (block.dimension < 3 ? 1 : 0)) {
      in.fail(message("found {} for whether they have parameters, expected 0{}", block.word,
                      block.dimension < 3 ? " or 1" : ""));
    }
    const Part part = part_of(block, header, contents.share);
    std::vector<std::int64_t> ids(part.size);
    in.skip(8 * part.before);
    for (std::int64_t& id : ids) {
      in.set_subject("node");
      in.begin_record();
      id = read_id(in, "node", header, contents.share.is_whole() ? &contents.nodes : nullptr);
      if (id > largest_node) {
        in.fail(message("expected a number of at most {}, the largest that Gmsh takes: number the nodes from 1 on",
                        largest_node));
      }
      in.end_record();
    }
    in.skip(8 * part.behind);
    const int parameters = block.word * block.dimension;
    const auto bytes_each = 8 * static_cast<std::uint64_t>(3 + parameters);
    in.skip(bytes_each * part.before);
    for (const std::int64_t id : ids) {
      in.set_subject("node", id);
      in.begin_record();
      contents.records.node_ids.push_back(id);
      for (const char* axis : {"x", "y", "z"}) contents.records.positions.push_back(in.real(axis));
      for (int k = 0; k < parameters; ++k) in.real("a parameter");
      in.end_record();
    }
    in.skip(bytes_each * part.behind);
  }
  in.set_subject(nullptr);
  require_all(in, header, "nodes");
  in.end_section();
}

void check_elements_41(MshInput& in, MshContents& contents) {
  const bool binary = contents.binary;
  in.enter("$Elements", binary);
  Header header = read_header(in, "elements", binary ? 20 : 8, binary ? 16 : 4);
  IdSet seen(contents.share.is_whole() ? header.total : 0);
  for (std::int64_t b = 0; b < header.blocks; ++b) {
    const Block block = read_block(in, "block of elements", "the element type", "elements", header);
    require_entity(in, contents, block);
    const MshElementType type = element_type(in, block.word);
    if (dimension_of(type.shape) != block.dimension) {
      in.fail(
          message("has elements of type {}, which are of dimension {}, in the {} {}; expected elements of its own "
                  "dimension",
                  block.word, dimension_of(type.shape), entity_kinds[block.dimension], block.entity));
    }
    contents.elements[block.word] += block.size;
    const auto bytes_each = static_cast<std::uint64_t>(1 + type.nodes) * (binary ? 8 : 2);
    in.require_room(block.size, "elements", bytes_each);
    const Part part = part_of(block, header, contents.share);
    in.skip(bytes_each * part.before);
    for (std::uint64_t k = 0; k < part.size; ++k) {
      in.set_subject("element");
      in.begin_record();
      const std::int64_t id = read_id(in, "element", header, contents.share.is_whole() ? &seen : nullptr);
      std::array<std::int64_t, most_corners> corners{};
      for (int j = 0; j < type.nodes; ++j) {
        const std::int64_t node = in.id("a node of the element");
        check_node_of_element(in, contents, node);
        if (j < most_corners) corners[static_cast<std::size_t>(j)] = node;
      }
      append_element(contents, block.entity, id, type.shape, corners);
      in.end_record();
    }
    in.skip(bytes_each * part.behind);
  }
  in.set_subject(nullptr);
  require_all(in, header, "elements");
  in.end_section();
  require_cells(in, contents);
}

}  // namespace solenoid
