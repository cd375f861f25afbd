#include "app/command_texts.hpp"
#include "base/error.hpp"
#include "run/result/version.hpp"

namespace solenoid {

namespace {

/// Escapes text for man: hyphens as minus signs, dots at the start of a line.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (result.empty() && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c != '`') {
      result += c;
    }
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

/// A term and its meaning.
std::string entry(const std::string& term, const std::string& meaning) {
  return ".TP\n" + term + "\n" + meaning + "\n";
}

/// Unfilled lines.
std::string verbatim(const std::vector<std::string>& lines) {
  std::string text = ".PP\n.nf\n.RS\n";
  for (const std::string& line : lines) text += roff(line) + "\n";
  return text + ".RE\n.fi\n";
}

std::string synopsis(const CommandText& command) {
  std::string text = bold("solenoid " + command.name) + " [" + italic("OPTION") + "]...";
  for (const OptionText& option : command.options) {
    if (!option.is_argument) continue;
    const std::string name = italic(option.name);
    text += option.is_required ? " " + name : " [" + name + "]...";
  }
  return text + "\n.br\n";
}

std::string options_of(const CommandText& command) {
  std::string text;
  for (const OptionText& option : command.options) {
    const std::string name = option.is_argument ? italic(option.name) : bold(option.name);
    text += entry(name + (option.value.empty() ? "" : " " + italic(option.value)), roff(option.meaning) + ".");
  }
  return text;
}

/// The part common to all commands, which no option defines.
const std::string common_part =
    R"(.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
The computation failed: it diverged, a solver did not converge, memory or disk ran out.
.TP
.B 2
The input is wrong: case file, mesh or options.
The message names the line, what was found and what was expected.
.TP
.B 3
Stopped early on request (SIGUSR1, SIGINT, SIGTERM).
The results are whole up to there, and
.B \-\-restart
goes on from there.
.SH ENVIRONMENT
.TP
.B OMP_NUM_THREADS
Threads of a rank; with one rank a core it is 1. Without it a rank takes a thread for each processor that it may use.
On GPUs they set up the run, and the ranks of a node divide its processors.
.TP
.B XDG_CACHE_HOME
Meshes that were made of a .geo lie in
.I $XDG_CACHE_HOME/solenoid/meshes
(otherwise
.IR ~/.cache/solenoid/meshes ).
.TP
.B OMPI_ALLOW_RUN_AS_ROOT, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
Open MPI's mpirun wants both to be 1 where root starts it, in a container for instance.
.SH FILES
.TP
.I CASE.toml
What to compute: mesh, physics, boundary conditions, output.
.TP
.I results/NAME/
What a run leaves of
.IR NAME/case.toml :
.I fields.pvd
for ParaView,
.I history.csv
and further tables,
.IR summary.json ,
.IR run.log ,
.IR checkpoint_*.h5 .
An existing folder is replaced only if Solenoid made it.
.TP
.I share/solenoid/cases/
Cases to copy, with the prefix of the installation before it.
.SH DRAWING
.B solenoid\-plot
.I RESULT
draws a result folder;
.B solenoid\-plot \-\-help
lists its options.
.SH EXAMPLES
Look at a case, run it on four ranks, end it early and go on, draw it:
.PP
.nf
.RS
solenoid check duct/case.toml
mpirun \-n 4 solenoid run duct/case.toml
kill \-USR1 $(pidof mpirun)
mpirun \-n 4 solenoid run duct/case.toml \-\-restart
solenoid\-plot results/duct
.RE
.fi
.SH SEE ALSO
.BR mpirun (1),
.BR srun (1),
.BR gmsh (1),
.BR paraview (1)
)";

}  // namespace

std::string manual_page(const std::vector<CommandText>& commands) {
  const std::string version = version_summary().at("version");
  std::string page = message(".TH SOLENOID 1 \"{}\" \"Solenoid {}\" \"User Commands\"\n", commit_date(), version);
  page += ".SH NAME\nsolenoid, solenoid\\-plot \\- incompressible flow, heat and waves on unstructured meshes\n";
  page += ".SH SYNOPSIS\n";
  for (const CommandText& command : commands) {
    if (!command.name.empty()) page += synopsis(command);
  }
  page += bold("solenoid --version") + " | " + bold("--help") + "\n.br\n" + bold("solenoid-plot") + " " +
          italic("RESULT") + "\n";
  page += ".SH DESCRIPTION\n" + roff(commands.front().about) +
          "\nThe command is started by itself for one rank, by mpirun or srun for several.\n";
  page += ".SH OPTIONS\n" + options_of(commands.front());
  for (const CommandText& command : commands) {
    if (command.name.empty()) continue;
    page += ".SS " + roff("solenoid " + command.name) + "\n" + roff(command.about) + "\n" + verbatim(command.examples) +
            options_of(command);
  }
  return page + common_part;
}

}  // namespace solenoid
