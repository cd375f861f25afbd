/// Checkpoint files, as damage leaves them.
#include "fuzz/one_rank.hpp"
#include "fuzz/target.hpp"
#include "io/checkpoint/checkpoint_file.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solenoid;
  static fuzz::InputFile file;
  file.put(fuzz::text_of(data, size));
  fuzz::accepts([&] { CheckpointReader reader(fuzz::one_rank(), file.path()); });
  return 0;
}
