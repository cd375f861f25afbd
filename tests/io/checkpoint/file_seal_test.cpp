/// The end of a file that tells whether all of it is what was written.
#include "io/checkpoint/file_seal.hpp"

#include <gtest/gtest.h>

#include "support/files.hpp"
#include "support/shared_folder.hpp"

namespace solenoid::test {
namespace {

class FileSeal : public SharedFolder {
 protected:
  void put(const std::string& text) {
    comm.barrier();
    if (comm.is_root()) std::ofstream(file, std::ios::binary) << text;
    comm.barrier();
  }
  const std::filesystem::path file = folder / "sealed";
};

/// Of fewer bytes than ranks, of no whole number of words, and of more than is read at once.
TEST_F(FileSeal, IsWholeWhateverTheLength) {
  for (const std::size_t bytes : {1, 5, 8, 17, 1000, 2'000'003}) {
    put(std::string(bytes, 'x'));
    seal_file(comm, file);
    EXPECT_EQ(std::filesystem::file_size(file), bytes + 24);
    EXPECT_EQ(broken_seal(comm, file), "") << bytes;
    const std::string whole = content(file);
    for (const std::size_t at : {std::size_t{0}, bytes / 2, bytes - 1, bytes + 23}) {
      std::string damaged = whole;
      damaged[at] ^= 1;
      put(damaged);
      EXPECT_EQ(broken_seal(comm, file), "is broken: its content differs from that written") << bytes << ", " << at;
    }
  }
}

TEST_F(FileSeal, IsMissed) {
  const std::string none = "is no checkpoint, or not whole: it does not end as one";
  for (const std::size_t bytes : {0, 7, 24, 100}) {
    put(std::string(bytes, 'x'));
    EXPECT_EQ(broken_seal(comm, file), none) << bytes;
  }
  seal_file(comm, file);
  const std::string whole = content(file);
  for (const std::string& other : {whole.substr(1), whole.substr(0, whole.size() - 1), whole + "x"}) {
    put(other);
    EXPECT_EQ(broken_seal(comm, file), none);
  }
}

}  // namespace
}  // namespace solenoid::test
