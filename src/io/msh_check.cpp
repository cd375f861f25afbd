#include "io/msh_check.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "base/error.hpp"

namespace solenoid {

namespace {

/// The next line, without its end and at most 200 characters of it: the file may be anything.
std::string next_line(std::istream& in) {
  std::string line;
  for (int c = in.get(); c != EOF && c != '\n' && line.size() < 200; c = in.get()) line += static_cast<char>(c);
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
  return line;
}

/// The first characters of `line`, for a message: other than plain letters appear as dots.
std::string excerpt(std::string line) {
  line.resize(std::min<std::size_t>(line.size(), 30));
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 32 || c > 126; }, '.');
  return line;
}

MshVersion version_of(std::istream& in, const std::string& name) {
  const std::string way_out = "Gmsh converts it: gmsh OLD.msh -save -format msh41 -o NEW.msh";
  const std::string first = next_line(in);
  require_input(first == "$MeshFormat", [&] {
    return message("{}: is not a Gmsh mesh: it starts with `{}`, expected `$MeshFormat` (version 2.2 or 4.1)", name,
                   excerpt(first));
  });
  const std::string format = next_line(in);
  std::istringstream words(format);
  std::string version;
  int binary = -1, size = 0;
  words >> version >> binary >> size;
  require_input(version == "2.2" || version == "4.1", [&] {
    return message("{}: line 2: format version `{}`, expected 2.2 or 4.1. {}", name, excerpt(version), way_out);
  });
  require_input((binary == 0 || binary == 1) && size == 8, [&] {
    return message("{}: line 2: found `{}`, expected `{} 0 8` (text) or `{} 1 8` (binary). {}", name, excerpt(format),
                   version, version, way_out);
  });
  return version == "2.2" ? MshVersion::v2_2 : MshVersion::v4_1;
}

/// Whether `mark` is found from here to the end of the stream, whatever its size.
bool contains(std::istream& in, std::string_view mark) {
  constexpr std::size_t block = 1 << 20;
  std::string window;
  while (in) {
    const std::size_t kept = std::min(window.size(), mark.size());  // a mark cut by a block's end is whole in the next
    window.erase(0, window.size() - kept);
    window.resize(kept + block);
    in.read(window.data() + kept, block);
    window.resize(kept + static_cast<std::size_t>(in.gcount()));
    if (window.find(mark) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

MshVersion check_msh(const std::filesystem::path& file, const std::string& name) {
  std::ifstream in(file, std::ios::binary);
  require_input(in.good(), [&] { return message("{}: cannot be read: {}", name, std::strerror(errno)); });
  require_input(in.peek() != EOF, [&] { return message("{}: is empty, expected a Gmsh mesh", name); });
  const MshVersion version = version_of(in, name);

  require_input(contains(in, "$EndElements"), [&] {
    return message("{}: has no line `$EndElements`: the file was cut off or is no mesh; write it again", name);
  });
  return version;
}

}  // namespace solenoid
