/// A file of OpenFOAM: a header, and lists and words in text or binary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace solenoid {

/// Every reading function throws an input error if the file ends or has other content; it names the line (text) or the
/// byte (binary). Numbers are of the widths that the header names, in this machine's byte order.
/// OpenFOAM User Guide, 4.2: basic input and output file format.
class FoamFile {
 public:
  /// Reads the header. `name`: the file in messages.
  FoamFile(const std::filesystem::path& file, std::string name);

  /// Places of polygons in one list of nodes.
  struct Polygons {
    std::vector<std::int64_t> begin, nodes;
  };

  std::int64_t count();                                    ///< of the items of a list that follows
  std::string word(const char* expected);                  ///< without quotes
  bool take(char sign);                                    ///< whether it is next, and read
  void expect(char sign);                                  ///< reads it
  std::vector<double> vectors();                           ///< a list of vectors, x, y, z each, finite
  std::vector<std::int64_t> labels(std::int64_t most);     ///< a list of at most that many whole numbers
  Polygons faces();                                        ///< a list of faces, in either of its two forms
  std::map<std::string, std::string> entries();            ///< of a dictionary from its { to its }, without inner ones
  void skip_entry();                                       ///< the value of a key and its ;
  [[noreturn]] void fail(const std::string& fault) const;  ///< throws an input error that names the place

 private:
  void skip_space();
  std::size_t left() const { return text_.size() - at_; }
  std::string_view token(const char* expected);
  template <class T>
  T number(const char* expected);
  std::int64_t stored_label(const char* bytes) const;
  double stored_real(const char* bytes) const;
  std::string_view stored(std::int64_t items, std::size_t bytes_each);

  std::string text_, name_;
  std::size_t at_ = 0;
  bool is_binary_ = false, is_compact_ = false;
  std::size_t label_bytes_ = 4, real_bytes_ = 8;
};

}  // namespace solenoid
