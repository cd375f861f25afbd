#include "app/command_texts.hpp"

#include <CLI/CLI.hpp>
#include <sstream>

namespace solenoid {

namespace {

/// Placeholder of an option's value: the name of its type, without the bounds that CLI11 adds.
std::string placeholder(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string name = type.substr(0, type.find(':'));
  return name == "INT" ? "N" : name == "FLOAT" ? "X" : name;
}

CommandText text_of(const CLI::App& app, const std::string& name) {
  CommandText text;
  text.name = name;
  std::istringstream lines(app.get_description());
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) {
      text.examples.push_back(line.substr(2));
    } else {
      text.about += (text.about.empty() ? "" : " ") + line;
    }
  }
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    const bool is_argument = option->get_positional();
    const bool is_flag = option->get_items_expected_max() == 0;
    text.options.push_back({is_argument ? option->get_name() : "--" + option->get_lnames().front(),
                            is_argument || is_flag ? "" : placeholder(*option), option->get_description(), is_argument,
                            option->get_required()});
  }
  return text;
}

}  // namespace

std::vector<CommandText> command_texts(const CLI::App& program) {
  std::vector<CommandText> texts{text_of(program, "")};
  for (const CLI::App* command : program.get_subcommands({})) texts.push_back(text_of(*command, command->get_name()));
  return texts;
}

}  // namespace solenoid
