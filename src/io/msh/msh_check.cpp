#include "io/msh/msh_check.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "io/msh/msh_sections.hpp"

namespace solenoid {

namespace {

using Sections = std::map<std::string, MshSectionCheck>;

const Sections sections_22{
    {"$PhysicalNames", check_physical_names}, {"$Nodes", check_nodes_22}, {"$Elements", check_elements_22}};
const Sections sections_41{{"$PhysicalNames", check_physical_names},
                           {"$Entities", check_entities_41},
                           {"$PartitionedEntities", check_partitioned_entities_41},
                           {"$Nodes", check_nodes_41},
                           {"$Elements", check_elements_41}};

/// The sections that must come after a section.
const std::map<std::string, std::vector<std::string>> later_sections{
    {"$Entities", {"$PartitionedEntities", "$Nodes"}}, {"$PartitionedEntities", {"$Nodes"}}, {"$Nodes", {"$Elements"}}};

void check_byte_order(MshInput& in, const std::string& way_out) {
  static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big);
  const int one = in.integer("the byte order's sample", std::numeric_limits<int>::min());
  if (one == 1) return;
  in.fail(message("found {} where binary files have 1: {}. {}", one,
                  one == 0x01000000 ? "the file comes from a machine of the other byte order" : "it is damaged",
                  way_out));
}

MshFormat check_format(MshInput& in, const std::filesystem::path& file, const std::string& name) {
  std::error_code code;
  require_input(std::filesystem::file_size(file, code) > 0,
                [&] { return message("{}: is empty, expected a Gmsh mesh", name); });
  const std::string way_out = "Gmsh converts it: gmsh OLD.msh -save -format msh41 -o NEW.msh";
  in.next_line();
  if (in.line() != "$MeshFormat") {
    in.fail(message("is not a Gmsh mesh: it starts with `{}`, expected `$MeshFormat` (version 2.2 or 4.1)",
                    excerpt(in.line())));
  }
  in.enter("$MeshFormat", false);
  in.begin_record();
  const std::string format(in.line());
  std::istringstream words(format);
  std::string version, rest;
  int binary = -1, size = 0;
  words >> version >> binary >> size;
  if (version != "2.2" && version != "4.1") {
    in.fail(message("found the format version `{}`, expected 2.2 or 4.1. {}", excerpt(version), way_out));
  }
  if ((binary != 0 && binary != 1) || size != 8 || words >> rest) {
    in.fail(message("found `{}`, expected `{} 0 8` (text) or `{} 1 8` (binary). {}", excerpt(format), version, version,
                    way_out));
  }
  if (binary == 1) {
    in.enter("$MeshFormat", true);
    check_byte_order(in, way_out);
  }
  in.end_section();
  return {version == "2.2" ? MshVersion::v2_2 : MshVersion::v4_1, binary == 1};
}

/// Whether `line` can start a section: $ and a name.
bool is_section_start(std::string_view line) {
  return line.size() > 1 && line.size() < 64 && line[0] == '$' && line.substr(0, 4) != "$End" &&
         std::all_of(line.begin() + 1, line.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

void check_order(const MshInput& in, const std::string& section, const std::set<std::string>& seen) {
  if (seen.count(section) != 0) in.fail(message("a second section {}, expected one", section));
  const auto later = later_sections.find(section);
  if (later == later_sections.end()) return;
  for (const std::string& other : later->second) {
    if (seen.count(other) != 0) in.fail(message("the section {} behind {}, expected it in front", section, other));
  }
}

}  // namespace

MshFormat format_of_msh(const std::filesystem::path& file, const std::string& name) {
  MshInput in(file, name);
  return check_format(in, file, name);
}

MshSummary check_msh(const std::filesystem::path& file, const std::string& name, const MshShare& share) {
  MshInput in(file, name);
  const MshFormat format = check_format(in, file, name);
  MshContents contents;
  contents.share = share;
  contents.binary = format.binary;
  MshSummary summary;
  summary.version = format.version;
  const Sections& sections = summary.version == MshVersion::v2_2 ? sections_22 : sections_41;

  std::set<std::string> seen;
  while (in.enter("", false), in.next_line()) {
    const std::string section(in.line());
    if (!is_section_start(section)) {
      in.fail(
          message("found `{}`, expected the first line of a section, such as `$Nodes`; the file is damaged: write "
                  "the mesh again",
                  excerpt(section)));
    }
    const auto known = sections.find(section);
    if (known != sections.end()) {
      check_order(in, section, seen);
      seen.insert(section);
      known->second(in, contents);
    } else {
      if (section == "$ParametricNodes") {
        in.fail("found $ParametricNodes, expected $Nodes: write the mesh with the option Mesh.SaveParametric = 0");
      }
      in.enter(section, contents.binary);
      in.skip_section();
      summary.extras.push_back(section);
    }
  }
  for (const char* needed : {"$Nodes", "$Elements"}) {
    require_input(seen.count(needed) != 0, [&] {
      return message("{}: has no section {}: the file was cut off, or holds no mesh; write it again", name, needed);
    });
  }
  static_cast<FileMesh&>(summary) = mesh_of_contents(std::move(contents));
  return summary;
}

}  // namespace solenoid
