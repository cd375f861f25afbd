/// A .msh file read front to back in bounded memory: words or binary numbers, each with its position for messages.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace solenoid {

/// Every reading function throws an input error that names the line (text) or the byte (binary), what was found and
/// what was expected, where the file has something else there, or ends.
class MshInput {
 public:
  /// `name` is what messages call the file.
  MshInput(const std::filesystem::path& file, std::string name);

  /// What is read from here on: `section` with its $, or nothing; binary numbers, or words of lines.
  void enter(const std::string& section, bool binary);
  /// What the numbers read from here on belong to, as in "node 7"; 0: nothing yet.
  void set_subject(const char* kind, std::int64_t id = 0) { subject_ = kind, subject_id_ = id; }

  /// Goes to the next line that is not blank; false at the end of the file. For the text between binary numbers too.
  bool next_line();
  std::string_view line() const { return {&buffer_[word_], line_end_ - word_}; }  ///< what is left of it
  std::uint64_t offset() const { return base_ + begin_; }                         ///< of the first byte not yet read
  std::uint64_t line_offset() const { return line_offset_; }
  /// Goes to the line $End... of the section, whatever stands before it.
  void skip_section();
  /// Expects the end of the section that was entered.
  void end_section();

  void begin_record();  ///< text: goes to the next line
  void end_record();    ///< text: expects the end of the line

  int integer(const char* what, int least);  ///< 32 bits
  std::int64_t number(const char* what);     ///< 64 bits, not negative
  std::int64_t id(const char* what);         ///< 64 bits, above 0
  double real(const char* what);             ///< finite
  /// A number of things of which each takes at least `bytes_each` of the bytes that are left.
  std::int64_t count(const char* what, std::uint64_t bytes_each);
  /// Fails unless `wanted` things of at least `bytes_each` fit into the bytes that are left.
  void require_room(std::int64_t wanted, const char* what, std::uint64_t bytes_each) const;

  /// Throws an input error: the place, the section, the subject, and then `fault`.
  [[noreturn]] void fail(const std::string& fault) const;

 private:
  bool fill();                          // reads on; false at the end of the file
  const char* bytes(std::size_t size);  // the next `size` of them
  std::string_view word(const char* what);
  template <class T>
  T parse(const char* what, const char* expected);
  template <class T>
  T binary_number();
  [[noreturn]] void fail_at_end(const char* what) const;
  [[noreturn]] void fail_at(const std::string& found, const char* what, const std::string& expected) const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::string name_, section_;
  bool binary_ = false, file_is_binary_ = false;
  const char* subject_ = nullptr;
  std::int64_t subject_id_ = 0;

  std::vector<char> buffer_;
  std::uint64_t size_ = 0, base_ = 0;  // of the file; the file's offset of the buffer's first byte
  std::size_t begin_ = 0, end_ = 0;    // what was read into the buffer and not yet taken
  std::size_t word_ = 0, line_end_ = 0;
  std::uint64_t line_offset_ = 0, record_offset_ = 0;
  std::int64_t line_number_ = 0;
};

/// The first characters of `text` as a message shows them: other than plain letters appear as dots.
std::string excerpt(std::string_view text);

}  // namespace solenoid
