#include "io/gmsh/geo_source.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "base/error.hpp"
#include "io/gmsh/geo_tokens.hpp"

namespace fs = std::filesystem;

namespace solenoid {

namespace {

/// A word of Gmsh's language that does more than describe a geometry.
struct Power {
  const char* word;
  const char* deed;
};

/// Commands: followed by an argument.
constexpr Power commands[] = {{"System", "runs a program"},
                              {"SystemCall", "runs a program"},
                              {"NonBlockingSystemCall", "runs a program"},
                              {"OnelabRun", "runs a program"},
                              {"SendToServer", "sends data to another program"},
                              {"Save", "writes a file"},
                              {"Print", "writes a file"},
                              {"CreateDir", "makes a folder"}};
/// At any position.
constexpr Power anywhere[] = {{"ExternalProcess", "runs a program"},
                              {"StringToName", "makes a command of a text"},
                              {"S2N", "makes a command of a text"}};
constexpr const char* file_commands[] = {"Include", "Merge", "MergeWithBoundingBox", "Printf", "Plugin"};
constexpr const char* writing_plugins[] = {"BoundaryAngles", "Bubbles",      "Crack",    "GSHHS",
                                           "NearToFarField", "SpanningTree", "VoroMetal"};

template <class Words>
bool is_one_of(const std::string& word, const Words& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_code_reader(const GeoToken& token) {
  return token.is("Include") || token.is("Merge") || token.is("MergeWithBoundingBox");
}

/// Extensions and first characters of the files that Gmsh's `Merge` reads as data; it executes all others.
constexpr const char* data_extensions[] = {".stl", ".STL",  ".brep", ".brp", ".BRP", ".iges", ".IGES", ".igs",
                                           ".IGS", ".step", ".STEP", ".stp", ".STP", ".unv",  ".UNV",  ".vtk",
                                           ".VTK", ".mesh", ".MESH", ".med", ".MED", ".bdf",  ".BDF",  ".nas",
                                           ".NAS", ".cgns", ".CGNS", ".p3d", ".P3D", ".ply",  ".PLY"};
constexpr const char* data_beginnings[] = {"$MeshFormat", "$Comments", "$PostFormat", "$View", "$NO", "$ELM", "$PARA"};

std::ifstream opened(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  require_input(in.good(), [&] { return message("{}: cannot be read: {}", file.string(), std::strerror(errno)); });
  return in;
}

bool is_data(const fs::path& file) {
  if (is_one_of(file.extension().string(), data_extensions)) return true;
  std::string beginning(16, ' ');
  std::ifstream(file, std::ios::binary).read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  return std::any_of(std::begin(data_beginnings), std::end(data_beginnings),
                     [&](const char* mark) { return beginning.starts_with(mark); });
}

/// All words of a text, whatever separates them.
std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  const auto is_part = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  for (auto begin = text.begin(); begin != text.end();) {
    const auto end = std::find_if_not(begin, text.end(), is_part);
    if (end != begin) words.insert({begin, end});
    begin = end == text.end() ? end : end + 1;
  }
  return words;
}

/// Scanner of one file of the program.
class GeoReader {
 public:
  /// `seen`: the files already executed.
  GeoReader(GeoSource& source, std::set<fs::path>& seen) : source_(source), seen_(seen) {}

  void visit(const fs::path& file) {
    file_ = file;
    std::ifstream in = opened(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    source_.hash = fnv1a(text, source_.hash);
    tokens_ = geo_tokens(text);
    note_binary(text);
    std::vector<fs::path> included;
    for (std::size_t i = 0; i < tokens_.code.size(); ++i) {
      refuse_exit(i);
      note_deeds(i);
      note_unknown(i);
      note_size(i);
      if (is_code_reader(tokens_.code[i])) note_code(i, included);
    }
    note_hidden();
    note_named_files(included);
    for (const fs::path& next : included) GeoReader(source_, seen_).visit(next);
  }

 private:
  std::string place(const GeoToken& token) const { return message("{}:{}", file_.string(), token.line); }
  void deed(const GeoToken& token, const std::string& what) {
    source_.deeds.push_back(message("{}: {}", place(token), what));
  }
  void unknown(const GeoToken& token, const std::string& what) {
    if (source_.unknown.empty()) source_.unknown = message("{}: {}", place(token), what);
  }

  void note_binary(const std::string& text) {
    const auto odd = std::find_if(text.begin(), text.end(), [](unsigned char c) {
      return c == 0 || c == 0x7F || (c < 0x20 && !std::isspace(c));
    });
    if (odd == text.end()) return;
    source_.deeds.push_back(message("{}:{}: is not plain text, so its effects are unknown", file_.string(),
                                    1 + std::count(text.begin(), odd, '\n')));
  }

  void refuse_exit(std::size_t i) const {
    const GeoToken& token = tokens_.code[i];
    require_input(!token.is("Exit") || !tokens_.at(i + 1).is(";"), [&] {
      return message("{}: has `Exit;`, which ends the program that meshes it, Solenoid; remove it", place(token));
    });
    require_input(!token.is("AbortOnError"), [&] {
      return message("{}: sets AbortOnError, which may end the program that meshes it, Solenoid; remove it",
                     place(token));
    });
  }

  void note_deeds(std::size_t i) {
    const GeoToken &token = tokens_.code[i], &next = tokens_.at(i + 1);
    if (token.kind != GeoTokenKind::word) return;
    const GeoToken before = i > 0 ? tokens_.code[i - 1] : GeoToken{};
    if (before.is("Macro") || before.is("Function") || before.is("Call")) return;  // a name
    const bool takes_something = next.kind == GeoTokenKind::text || next.kind == GeoTokenKind::word || next.is("(") ||
                                 next.is("[") || next.is("{") || next.is("~");
    for (const Power& power : commands) {
      if (takes_something && token.text == power.word) deed(token, message("`{}` {}", power.word, power.deed));
    }
    for (const Power& power : anywhere) {
      if (token.text == power.word) deed(token, message("`{}` {}", power.word, power.deed));
    }
    if (token.is("Printf") && prints_into_a_file(i)) deed(token, "`Printf` with > writes a file");
    if (token.is("Plugin") && is_one_of(tokens_.at(i + 2).text, writing_plugins)) {
      deed(token, message("`Plugin({})` may write files", tokens_.at(i + 2).text));
    }
  }

  bool prints_into_a_file(std::size_t i) const {
    for (std::size_t depth = 0; ++i < tokens_.code.size();) {
      const GeoToken& token = tokens_.code[i];
      depth += token.is("(") || token.is("[");
      if (token.is(")") || token.is("]")) {
        if (depth <= 1) return tokens_.at(i + 1).is(">");
        --depth;
      }
    }
    return false;
  }

  /// Whether a single string follows at `i`, with or without parentheses.
  bool is_plain_string(std::size_t i) const {
    if (tokens_.at(i).is("(")) ++i;
    const GeoToken& next = tokens_.at(i + 1);
    return tokens_.at(i).kind == GeoTokenKind::text && (next.is(";") || next.is(")"));
  }

  void note_unknown(std::size_t i) {
    const GeoToken& token = tokens_.code[i];
    if (token.is("ShapeFromFile") || token.is("ListFromFile") || token.is("FileExists")) {
      if (!is_plain_string(i + 1)) unknown(token, message("the name that `{}` takes is computed", token.text));
    } else if (token.is("GetEnv") || token.is("GetValue") || token.is("GetStringValue")) {
      unknown(token, message("`{}` depends on data outside the file", token.text));
    } else if (token.kind == GeoTokenKind::word && token.text.find("File") != std::string::npos && i > 0 &&
               tokens_.code[i - 1].is(".") && tokens_.at(i + 1).is("=") && !is_plain_string(i + 2)) {
      unknown(token, message("the `{}` of a file it reads is computed", token.text));
    }
  }

  void note_size(std::size_t i) {
    if (!tokens_.code[i].is("DefineConstant")) return;
    for (; i < tokens_.code.size() && !tokens_.code[i].is(";"); ++i) {
      if (tokens_.code[i].is("lc") && tokens_.at(i + 1).is("=")) source_.declares_size = true;
    }
  }

  /// Notes the file that the Include or Merge at `i` executes.
  void note_code(std::size_t i, std::vector<fs::path>& included) {
    const GeoToken& token = tokens_.code[i];
    if (tokens_.at(i + 1).is(";") || tokens_.at(i + 1).is("=")) return;  // a variable
    if (!is_plain_string(i + 1)) {
      unknown(token, message("the name of the file that `{}` reads is computed", token.text));
      deed(token, message("`{}` carries out a file whose name is computed", token.text));
      return;
    }
    const std::string name = tokens_.at(i + (tokens_.at(i + 1).is("(") ? 2 : 1)).text;
    if (name.ends_with(".gz")) deed(token, message("`{}` runs gunzip on a .gz", token.text));
    if (token.is("Include") || !is_data(file_.parent_path() / name)) included.push_back(file_.parent_path() / name);
  }

  /// Notes dangerous words in strings and comments, if Gmsh may execute those.
  void note_hidden() {
    if (tokens_.trap.empty()) return;
    for (const GeoToken& hidden : tokens_.hidden) {
      for (const std::string& word : words_of(hidden.text)) {
        const auto is_power = [&](const Power& power) { return word == power.word; };
        if (std::any_of(std::begin(commands), std::end(commands), is_power) ||
            std::any_of(std::begin(anywhere), std::end(anywhere), is_power) || is_one_of(word, file_commands)) {
          deed(hidden,
               message("`{}` in a comment or a string, which Gmsh may carry out because {}", word, tokens_.trap));
        }
      }
    }
  }

  /// Notes files that strings name, as Gmsh resolves them: files to execute stay in `included`, others are data.
  void note_named_files(std::vector<fs::path>& included) {
    std::error_code ignored;
    for (const GeoToken& token : tokens_.code) {
      if (token.kind != GeoTokenKind::text) continue;
      for (const fs::path& named : {file_.parent_path() / token.text, fs::path(token.text)}) {
        if (!fs::is_regular_file(named, ignored)) continue;
        source_.hash = fnv1a(token.text, source_.hash);
        if (is_one_of(named, included)) continue;
        source_.hash = hash_of_file(named, source_.hash);
      }
    }
    std::erase_if(included, [&](const fs::path& named) {
      return !fs::is_regular_file(named, ignored) || !seen_.insert(named.lexically_normal()).second;
    });
  }

  GeoSource& source_;
  fs::path file_;
  GeoTokens tokens_;
  std::set<fs::path>& seen_;
};

}  // namespace

std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  return hash;
}

std::uint64_t hash_of_file(const fs::path& file, std::uint64_t hash) {
  std::ifstream in = opened(file);
  std::vector<char> block(std::size_t{1} << 20);
  do {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    hash = fnv1a({block.data(), static_cast<std::size_t>(in.gcount())}, hash);
  } while (in);
  return hash;
}

GeoSource read_geo_source(const fs::path& file) {
  GeoSource source{.hash = fnv1a(""), .unknown = "", .declares_size = false, .deeds = {}};
  std::set<fs::path> seen{file.lexically_normal()};
  GeoReader(source, seen).visit(file);
  return source;
}

}  // namespace solenoid
