/// Case files, with `--set` values: a line `#set KEY=VALUE` of the input is one, and a comment to TOML.
#include "case/case_file.hpp"
#include "fuzz/target.hpp"

namespace {

std::vector<std::string> sets_in(std::string_view text) {
  constexpr std::string_view mark = "#set ";
  std::vector<std::string> sets;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with(mark)) sets.emplace_back(line.substr(mark.size()));
  }
  return sets;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solenoid;
  static fuzz::InputFile file;
  const std::string_view text = fuzz::text_of(data, size);
  file.put(text);
  fuzz::accepts([&] {
    const Case read = read_case(file.path(), sets_in(text));
    read.effective.dump();  // as summary.json has it
    for (const std::string& patch : read.setup->patches()) read.setup->condition_on(patch);
  });
  return 0;
}
