/// Runs the tests on all ranks: every rank runs every test in the same order, rank 0 speaks for all.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "base/comm.hpp"
#include "parallel/placement.hpp"
#include "support/files.hpp"

std::filesystem::path solenoid::test::source_folder() { return SOLENOID_SOURCE_DIR; }

namespace {

constexpr int skipped = 77;  // ctest's SKIP_RETURN_CODE

/// Collects what failed on the other ranks at the end of each test and fails the test on rank 0 too.
class RankListener : public testing::EmptyTestEventListener {
 public:
  explicit RankListener(const solenoid::Comm& comm) : comm_(comm) {}

  void OnTestStart(const testing::TestInfo&) override { failures_.clear(); }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    failures_ += std::string(result.file_name() ? result.file_name() : "") + ":" +
                 std::to_string(result.line_number()) + ": " + result.summary() + "\n";
  }
  void OnTestEnd(const testing::TestInfo&) override {
    std::string others;
    for (int rank = 1; rank < comm_.size(); ++rank) {
      const std::string text = comm_.broadcast(comm_.rank() == rank ? failures_ : "", rank);
      if (!text.empty()) others += "on rank " + std::to_string(rank) + ":\n" + text;
    }
    if (comm_.is_root() && !others.empty()) ADD_FAILURE() << others;
  }

 private:
  solenoid::Comm comm_;
  std::string failures_;
};

}  // namespace

int main(int argc, char** argv) {
  solenoid::MpiSession mpi(argc, argv);
  const solenoid::Comm comm;
  testing::InitGoogleTest(&argc, argv);
  try {
    solenoid::select_device(comm);
  } catch (const solenoid::Error& error) {
    if (comm.is_root()) std::printf("skipped: %s\n", error.what());
    return skipped;
  }
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  testing::TestEventListener* printer = listeners.Release(listeners.default_result_printer());
  listeners.Append(new RankListener(comm));  // before the printer, which shows the failures it adds
  if (comm.is_root()) {
    listeners.Append(printer);
  } else {
    delete printer;
    delete listeners.Release(listeners.default_xml_generator());
  }
  const int failed_here = RUN_ALL_TESTS() != 0;
  return comm.max(std::int64_t{failed_here}) != 0;
}
