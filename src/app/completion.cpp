#include <algorithm>

#include "app/command_texts.hpp"
#include "base/error.hpp"
#include "bench/benchmark.hpp"

namespace solenoid {

namespace {

/// Possible completions at a position of the command line.
struct Choice {
  std::vector<std::string> words;
  std::vector<std::string> extensions;  ///< of files
  bool any_file = false, folder = false;
};

std::vector<std::string> parts_of(const std::string& text, char between) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == between) {
      parts.emplace_back();
    } else if (c != '[' && c != ']') {
      parts.back() += c;
    }
  }
  return parts;
}

/// Completions of an option's value or of an argument, from its placeholder in the help.
Choice choice_of(const OptionText& option) {
  Choice choice;
  for (const std::string& part : parts_of(option.is_argument ? option.name : option.value, '|')) {
    if (part == "CASE") {
      choice.extensions.push_back("toml");
    } else if (part == "MESH") {
      choice.extensions.insert(choice.extensions.end(), {"geo", "msh", "step", "stp", "iges", "igs", "brep", "stl"});
    } else if (part == "FILE") {
      choice.any_file = true;
    } else if (part == "DIR") {
      choice.folder = true;
    } else if (part == "NAME") {
      for (const NamedBenchmark& benchmark : all_benchmarks()) choice.words.push_back(benchmark.name);
    } else if (std::none_of(part.begin(), part.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) {
      choice.words.push_back(part);
    }
  }
  return choice;
}

std::vector<std::string> names_of_options(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options) {
    if (!option.is_argument) names.push_back(option.name);
  }
  return names;
}

Choice choice_of_arguments(const CommandText& command) {
  for (const OptionText& option : command.options) {
    if (option.is_argument) return choice_of(option);
  }
  return {};
}

/// The text quoted as one word of a shell.
std::string quoted(const std::string& text, const std::string& for_a_quote) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? for_a_quote : std::string(1, c);
  return result + "'";
}

// ---- bash

std::string bash_offer(const Choice& choice) {
  std::string text;
  if (!choice.words.empty()) text += message("_solenoid_words '{}'; ", joined(choice.words, " "));
  if (choice.any_file) text += "_solenoid_files '*'; ";
  for (const std::string& extension : choice.extensions) text += message("_solenoid_files '*.{}'; ", extension);
  if (choice.folder || !choice.extensions.empty()) text += "_solenoid_folders; ";
  return text;
}

std::string bash_completion(const std::vector<CommandText>& commands) {
  std::vector<std::string> names;
  std::string cases;
  for (const CommandText& command : commands) {
    if (!command.name.empty()) names.push_back(command.name);
    std::string values;
    for (const OptionText& option : command.options) {
      if (!option.value.empty())
        values += message("        {}) {}return ;;\n", option.name, bash_offer(choice_of(option)));
    }
    if (!values.empty()) values = "      case $last in\n" + values + "      esac\n";
    cases += message("    '{}')\n{}      if [[ $word == -* ]]; then _solenoid_words '{}'; else {}fi ;;\n", command.name,
                     values, joined(names_of_options(command), " "),
                     command.name.empty() ? "_solenoid_words \"$commands --help --version\"; "
                                          : bash_offer(choice_of_arguments(command)));
  }
  return message(R"(# Completion of solenoid for bash. Made from the options of the program.
_solenoid_words() {{ mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -W "$1" -- "$word"); }}
_solenoid_files() {{
  compopt -o filenames 2>/dev/null
  mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -X "!$1" -- "$word")
}}
_solenoid_folders() {{
  compopt -o filenames 2>/dev/null
  mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -d -- "$word")
}}
_solenoid() {{
  local commands='{}' command='' i
  local word=${{COMP_WORDS[COMP_CWORD]}} last=${{COMP_WORDS[COMP_CWORD - 1]}}
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ " $commands " == *" ${{COMP_WORDS[i]}} "* ]]; then command=${{COMP_WORDS[i]}}; break; fi
  done
  case $command in
{}  esac
}}
complete -F _solenoid solenoid
)",
                 joined(names, " "), cases);
}

// ---- zsh

/// The action of an option or argument in zsh's _arguments.
std::string zsh_action(const Choice& choice) {
  std::vector<std::string> files;
  for (const std::string& extension : choice.extensions) files.push_back("*." + extension);
  if (!choice.words.empty() && !choice.any_file) return "(" + joined(choice.words, " ") + ")";
  if (choice.any_file) return choice.words.empty() ? "_files" : "{_files; compadd " + joined(choice.words, " ") + "}";
  if (!files.empty()) return "_files -g \"" + (files.size() == 1 ? files[0] : "(" + joined(files, "|") + ")") + "\"";
  return choice.folder ? "_files -/" : " ";
}

/// Escapes brackets and colons, which zsh's _arguments interprets.
std::string zsh_meaning(const std::string& text) {
  std::string result;
  for (const char c : text) result += (c == '[' || c == ']' || c == ':' ? "\\" : "") + std::string(1, c);
  return result;
}

std::string zsh_specifications(const CommandText& command) {
  std::string text;
  for (const OptionText& option : command.options) {
    std::string one;
    if (option.is_argument) {
      one = message("*:{}:{}", zsh_meaning(option.meaning), zsh_action(choice_of(option)));
    } else {
      one = message("*{}[{}]", option.name, zsh_meaning(option.meaning));
      const bool may_lack = option.value.starts_with('[');
      if (!option.value.empty()) one += message("{}value:{}", may_lack ? "::" : ":", zsh_action(choice_of(option)));
    }
    text += " \\\n        " + quoted(one, "'\\''");
  }
  return text;
}

std::string zsh_completion(const std::vector<CommandText>& commands) {
  std::string names, cases;
  for (const CommandText& command : commands) {
    if (command.name.empty()) continue;
    names += " " + command.name;
    cases += message("      {}) _arguments{} ;;\n", command.name, zsh_specifications(command));
  }
  return message(R"(#compdef solenoid
# Completion of solenoid for zsh. Made from the options of the program.
_solenoid() {{
  local state line
  _arguments -C{} \
        '1:command:({})' '*::argument:->arguments'
  if [[ $state == arguments ]]; then
    case $line[1] in
{}    esac
  fi
}}
_solenoid "$@"
)",
                 zsh_specifications(commands.front()), names.substr(1), cases);
}

// ---- fish

std::string fish_offer(const Choice& choice) {
  std::string text;
  std::vector<std::string> offers;
  if (!choice.words.empty()) offers.push_back(joined(choice.words, " "));
  for (const std::string& extension : choice.extensions)
    offers.push_back(message("(__fish_complete_suffix .{})", extension));
  if (choice.folder) offers.push_back("(__fish_complete_directories)");
  if (!offers.empty()) text += message(" -a {}", quoted(joined(offers, " "), "\\'"));
  return (choice.any_file ? " -F" : " -f") + text;
}

std::string fish_completion(const std::vector<CommandText>& commands) {
  std::string text = "# Completion of solenoid for fish. Made from the options of the program.\n";
  for (const CommandText& command : commands) {
    const std::string where =
        command.name.empty() ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + command.name;
    const std::string line = message("complete -c solenoid -n '{}'", where);
    if (!command.name.empty()) {
      text += message("complete -c solenoid -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                      quoted(command.about.substr(0, command.about.find_first_of(".:")), "\\'"));
    }
    for (const OptionText& option : command.options) {
      const Choice choice = choice_of(option);
      text += line;
      if (!option.is_argument) text += message(" -l {}", option.name.substr(2));
      if (!option.value.empty() && !option.value.starts_with('[')) text += " -r";
      if (option.is_argument || !option.value.empty()) text += fish_offer(choice);
      if (!option.is_argument) text += " -d " + quoted(option.meaning, "\\'");
      text += "\n";
    }
  }
  return text;
}

}  // namespace

std::string completion(const std::string& shell, const std::vector<CommandText>& commands) {
  if (shell == "bash") return bash_completion(commands);
  if (shell == "zsh") return zsh_completion(commands);
  if (shell == "fish") return fish_completion(commands);
  throw Error(ExitCode::bad_input, message("no completion for the shell {}: there are bash, zsh and fish", shell));
}

}  // namespace solenoid
