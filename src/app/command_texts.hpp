/// Descriptions of the commands from their options, for the manual page and the completions.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace solenoid {

struct OptionText {
  std::string name;     ///< "--set", or "CASE" for an argument
  std::string value;    ///< "KEY=VALUE", "[auto|FILE]"; empty: a flag, or an argument
  std::string meaning;  ///< one sentence
  bool is_argument = false;
  bool is_required = false;
};

struct CommandText {
  std::string name;                   ///< empty: the program, without a command
  std::string about;                  ///< a paragraph
  std::vector<std::string> examples;  ///< command lines
  std::vector<OptionText> options;
};

/// The program first, then its commands.
std::vector<CommandText> command_texts(const CLI::App& program);

/// The page solenoid(1), in the macros of man.
std::string manual_page(const std::vector<CommandText>& commands);

/// The completions of a shell, "bash", "zsh" or "fish". Throws Error for others.
std::string completion(const std::string& shell, const std::vector<CommandText>& commands);

}  // namespace solenoid
