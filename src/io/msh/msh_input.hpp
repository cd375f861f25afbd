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

/// Every reading function throws an input error if the file ends or has other content; it names the line (text) or the
/// byte (binary), the content found and the content expected.
class MshInput {
 public:
  /// `name`: the file in messages.
  MshInput(const std::filesystem::path& file, std::string name);

  /// Sets the section for messages (with its $; may be empty), and whether it holds binary numbers or text.
  void enter(const std::string& section, bool binary);
  /// The owner of the following numbers for messages, as in "node 7"; id 0: not yet known.
  void set_subject(const char* kind, std::int64_t id = 0) { subject_ = kind, subject_id_ = id; }

  /// Moves to the next line that is not blank; false at the end of the file. Also for text between binary numbers.
  bool next_line();
  std::string_view line() const { return {&buffer_[word_], line_end_ - word_}; }  ///< the unread part
  /// Moves to the line $End... of the section, past any content.
  void skip_section();
  /// Expects the end of the present section.
  void end_section();

  void begin_record();  ///< text: moves to the next line
  void end_record();    ///< text: expects the end of the line

  int integer(const char* what, int least);  ///< 32 bits
  std::int64_t number(const char* what);     ///< 64 bits, not negative
  std::int64_t id(const char* what);         ///< 64 bits, above 0
  double real(const char* what);             ///< finite
  /// Reads a count; fails unless that many items of at least `bytes_each` fit into the remaining bytes.
  std::int64_t count(const char* what, std::uint64_t bytes_each);
  /// Fails unless `wanted` items of at least `bytes_each` fit into the remaining bytes.
  void require_room(std::int64_t wanted, const char* what, std::uint64_t bytes_each) const;

  /// Moves on by `size` bytes without reading them: in binary sections.
  void skip(std::uint64_t size);

  /// Throws an input error: the place, the section, the subject, and then `fault`.
  [[noreturn]] void fail(const std::string& fault) const;

 private:
  std::uint64_t offset() const { return base_ + begin_; }  // of the first unread byte
  bool fill();                                             // reads more; false at the end of the file
  const char* bytes(std::size_t size);                     // the next `size` bytes
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
  std::size_t begin_ = 0, end_ = 0;    // the unread part of the buffer
  std::size_t word_ = 0, line_end_ = 0;
  std::uint64_t record_offset_ = 0;
  std::int64_t line_number_ = 0;
};

/// The first characters of `text` for a message: other than printable ASCII characters become dots.
std::string excerpt(std::string_view text);

}  // namespace solenoid
