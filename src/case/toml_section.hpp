/// The strict reader of the case file: code declares each key it reads, and any other key is an error.
#pragma once

#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/vec3.hpp"
#include "case/formula.hpp"
#include "case/toml_tree.hpp"

namespace solenoid {

/// The valid numbers of a key, and their description in messages.
struct NumberRange {
  const char* expected;
  bool (*holds)(double);
};
inline constexpr NumberRange any_number{"a number", [](double) { return true; }};
inline constexpr NumberRange positive{"a number greater than 0", [](double x) { return x > 0; }};
inline constexpr NumberRange not_negative{"a number of at least 0", [](double x) { return x >= 0; }};
inline constexpr NumberRange courant_number{"a number of at least 1e-06", [](double x) { return x >= 1e-6; }};

/// A known but refused word, and the reason for the message.
struct RefusedWord {
  std::string word, why;
};
inline constexpr const char* not_available = "is not available in this version";

/// The valid words of a key with their meanings, and the words refused by name.
template <class Meaning>
struct WordSet {
  std::vector<std::pair<std::string, Meaning>> words;
  std::vector<RefusedWord> refused;
};

/// One table of a case. Each reading function declares a key, records its effective value and returns it. A fault is
/// noted for TomlDocument::finish() and a stand-in is returned, so that all faults of a file are reported at once. Keys
/// without a fallback are required. A light handle, valid as long as its document.
class TomlSection {
 public:
  static constexpr int largest = std::numeric_limits<int>::max();

  // Integers pass for reals; nan and infinities do not.
  double real(const std::string& key, const NumberRange& range, std::optional<double> fallback = {});
  std::optional<double> optional_real(const std::string& key, const NumberRange& range);
  /// A number for all three axes, or three numbers.
  std::array<double, 3> per_axis(const std::string& key, const NumberRange& range, double fallback);
  int integer(const std::string& key, int least, int fallback, int most = largest);
  std::optional<int> optional_integer(const std::string& key, int least);
  bool flag(const std::string& key, bool fallback);  ///< true or false
  std::string text(const std::string& key, const std::optional<std::string>& fallback = {});
  std::optional<std::string> optional_text(const std::string& key);
  /// Three numbers; nullopt if they are missing or faulty.
  std::optional<Vec3> vector(const std::string& key);
  std::optional<Vec3> optional_vector(const std::string& key);  ///< the same, but not required
  Vec3 vector(const std::string& key, const Vec3& fallback);
  /// A list of points, three numbers each; not empty unless a fault is noted.
  std::vector<Vec3> points(const std::string& key);
  std::vector<Vec3> optional_points(const std::string& key);  ///< the same, but not required
  /// A strictly ascending list of numbers; empty if the key is absent.
  std::vector<double> ascending(const std::string& key, const NumberRange& range);
  /// A number in `range`, or an expression of x, y, z, t in quotes; in [boundary.NAME] also values at points.
  Formula formula(const std::string& key, const NumberRange& range, std::optional<double> fallback = {});
  std::optional<Formula> optional_formula(const std::string& key, const NumberRange& range);
  /// The expression of these `arguments` in quotes, if the value is in quotes.
  std::optional<Formula> formula_of(const std::string& key, FormulaArguments arguments);
  /// All keys of this table, each such a number or expression, in file order; an empty table is a fault.
  std::vector<std::pair<std::string, Formula>> formulas(const NumberRange& range, const std::string& expected);
  /// Three entries, each a number or an expression of x, y, z, t in quotes; in [boundary.NAME] also values at points.
  std::array<Formula, 3> expressions(const std::string& key, std::optional<std::array<Formula, 3>> fallback = {});
  std::optional<std::array<Formula, 3>> optional_expressions(const std::string& key);  ///< the same, but not required
  /// A list of distinct `allowed` words, `least` or more.
  std::vector<std::string> words(const std::string& key, const std::vector<std::string>& allowed,
                                 const std::vector<std::string>& fallback, std::size_t least = 0);
  /// `least` to `most` distinct names; empty if a fault is noted.
  std::vector<std::string> names(const std::string& key, std::size_t least, std::size_t most);
  /// One word of a closed set; nullopt if it is missing, unknown or refused.
  template <class Meaning>
  std::optional<Meaning> word(const std::string& key, const WordSet<Meaning>& set,
                              const std::optional<std::string>& fallback = {}) {
    std::vector<std::string> names;
    for (const auto& entry : set.words) names.push_back(entry.first);
    const std::optional<std::size_t> place = find_word(key, names, set.refused, fallback);
    return place ? std::optional<Meaning>(set.words[*place].second) : std::nullopt;
  }

  /// The subtable [key]; an absent one reads as empty.
  TomlSection table(const std::string& key);
  std::optional<TomlSection> optional_table(const std::string& key);  ///< nullopt if it is absent
  /// The same as table(), but its absence is a fault; the message says what is `expected` in it.
  TomlSection required_table(const std::string& key, const std::string& expected);
  /// The subtables [key.NAME] of this [key] with their names, in file order; having none is a fault.
  std::vector<std::pair<std::string, TomlSection>> named_tables(const std::string& expected);
  /// The tables [[key]], in file order.
  std::vector<TomlSection> tables(const std::string& key);

  /// Declares a key, [key] or [[key]] as refused by name, with the reason. True if it is present.
  bool refuse(const std::string& key, const std::string& why);
  /// Declares both keys; notes a fault if both are present, or, if one is required, neither.
  void exclusive(const std::string& first, const std::string& second, bool one_is_required);
  /// Declares all `keys` and returns the one present. Notes a fault if there are several or none; it then returns the
  /// first present, or the first of `keys`.
  std::string one_of(const std::vector<std::string>& keys);
  /// Suppresses the faults of undeclared keys.
  void ignore_rest();

  bool has(const std::string& key) const;
  bool has_table(const std::string& key) const;
  /// The value if it is a text of letters alone, and too long for a variable: no expression.
  std::optional<std::string> letters(const std::string& key) const;
  /// Notes the fault that the value of `key`, which is present, is not as `expected`.
  void wrong(const std::string& key, const std::string& expected);
  /// Notes this fault of the value of `key`, which is present, in words that name it.
  void fault(const std::string& key, const std::string& text);

 private:
  std::optional<Vec3> three_numbers_of(const std::string& key, const TomlNode* node);
  std::vector<Vec3> points_of(const std::string& key, const TomlNode* node);
  friend class TomlDocument;
  struct State;

  TomlSection(State& state, const TomlNode* node, std::vector<std::string> path, bool in_array = false);
  TomlSection child(const std::string& key, const TomlNode* node) const;
  const TomlNode* read(const std::string& key);
  const TomlNode* read_required(const std::string& key, const std::string& expected);
  std::optional<double> number(const std::string& key, const TomlNode& node, const NumberRange& range,
                               const char* or_else = "");
  std::optional<int> whole_number(const std::string& key, const TomlNode& node, int least, int most = largest);
  Formula expression(const std::string& key, const TomlNode& node, const NumberRange& range);
  bool is_at_points(const TomlNode* node) const;
  /// Of numbers in `range`; null: of vectors, a formula for each component.
  std::vector<Formula> at_points(const std::string& key, const TomlNode& node, const NumberRange* range);
  std::optional<std::size_t> find_word(const std::string& key, const std::vector<std::string>& names,
                                       const std::vector<RefusedWord>& refused,
                                       const std::optional<std::string>& fallback);
  std::string label() const;
  std::string label(const std::string& key, const TomlNode& node) const;
  void wrong(const std::string& key, const TomlNode& node, const std::string& expected);
  void record(const std::string& key, nlohmann::ordered_json value);
  void note_unknown_keys();

  State* state_;
  const TomlNode* node_;           ///< null if the table is absent
  std::vector<std::string> path_;  ///< keys, and indices in arrays, from the root
  bool in_array_;
};

/// A case file while it is read: its tables, the values read so far, and the faults.
class TomlDocument {
 public:
  /// Reads `file` and overrides its values by those of `--set`; throws like read_toml.
  TomlDocument(const std::filesystem::path& file, const std::vector<std::string>& sets);
  ~TomlDocument();
  TomlDocument(const TomlDocument&) = delete;
  TomlDocument& operator=(const TomlDocument&) = delete;

  TomlSection root();
  /// The formulas that are read from now on know these functions.
  void define(FormulaFunctions functions);
  /// The files with values at points that were read so far.
  std::vector<PointValuesFile> point_tables() const;
  /// Notes a fault for each of them with times that do not cover [begin, end] [s].
  void require_times_of_points(double begin, double end);
  /// Notes every undeclared key; throws one Error (bad input) with all faults in file order, one per line.
  void finish();
  /// The values read, with defaults filled in, in the shape of the file; null for an optional value that is off.
  const nlohmann::ordered_json& effective() const;

 private:
  std::unique_ptr<TomlSection::State> state_;
};

}  // namespace solenoid
