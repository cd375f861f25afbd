/// Failure that starts on one rank reaches all of them, with one message.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "base/comm.hpp"

namespace solenoid {
namespace {

TEST(Comm, SumsAndMaximaOverRanks) {
  const Comm comm;
  EXPECT_EQ(comm.sum(std::int64_t{comm.rank() + 1}), std::int64_t{comm.size()} * (comm.size() + 1) / 2);
  EXPECT_EQ(comm.max(real(comm.rank())), comm.size() - 1);
  EXPECT_EQ(comm.min(real(comm.rank())), 0);
  EXPECT_EQ(comm.gather(comm.rank()).back(), comm.size() - 1);
}

TEST(Comm, GathersListsInTheOrderOfTheRanks) {
  const Comm comm;
  const std::vector<std::int64_t> own(comm.rank() % 3, comm.rank());  // some ranks have none
  std::vector<std::int64_t> expected;
  for (int rank = 0; rank < comm.size() && comm.is_root(); ++rank) expected.insert(expected.end(), rank % 3, rank);
  EXPECT_EQ(comm.gather_on_root(own), expected);
  EXPECT_EQ(comm.gather_on_root(std::vector<real>{real(comm.rank())}).size(), comm.is_root() ? comm.size() : 0u);
}

TEST(Comm, BroadcastsText) {
  const Comm comm;
  const int last = comm.size() - 1;
  EXPECT_EQ(comm.broadcast(comm.rank() == last ? "from the last" : "", last), "from the last");
}

TEST(Comm, GuardThrowsOnEveryRankWhatOneRankThrew) {
  const Comm comm;
  const int last = comm.size() - 1;
  try {
    comm.guard([&] {
      if (comm.rank() == last) throw Error(ExitCode::bad_input, "the file is empty");
    });
    ADD_FAILURE() << "no rank failed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_TRUE(error.collective());
    EXPECT_EQ(std::string(error.what()), (last > 0 ? "rank " + std::to_string(last) + ": " : "") + "the file is empty");
  }
}

TEST(Comm, GuardTurnsAnyExceptionIntoAFailure) {
  try {
    Comm().guard([] { throw std::bad_alloc(); });
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::failure);
    EXPECT_NE(std::string(error.what()).find("out of memory"), std::string::npos);
  }
}

TEST(Comm, GuardMayUseAnotherCommunicator) {
  const Comm comm;
  std::int64_t alone = 0;
  comm.guard([&] {
    const Comm self(MPI_COMM_SELF);
    self.guard([&] { alone = 1; });
    alone += self.sum(std::int64_t{1});
  });
  EXPECT_EQ(comm.sum(alone), 2 * comm.size());
}

#ifdef SOLENOID_CHECKED
TEST(Comm, GuardRefusesWhatIsCollective) {
  const Comm comm;
  const std::vector<std::pair<std::string, std::function<void()>>> calls{
      {"Comm::sum", [&] { comm.sum(real{1}); }},
      {"Comm::max", [] { Comm().max(std::int64_t{1}); }},  // another handle of the same communicator
      {"Comm::min", [&] { comm.of_least(1, {}); }},
      {"Comm::barrier", [&] { comm.barrier(); }},
      {"Comm::broadcast", [&] { comm.broadcast("text"); }},
      {"Comm::gather", [&] { comm.gather_on_root(std::vector<real>{1}); }},
      {"Comm::node_share", [&] { comm.node_share(); }},
      {"Comm::guard", [&] { comm.guard([] {}); }},
      {"Comm::sum", [&] { Comm(MPI_COMM_SELF).guard([&] { comm.sum(real{1}); }); }}};
  const int last = comm.size() - 1;
  for (const auto& [name, call] : calls) {
    try {
      comm.guard([&, call = &call] {
        if (comm.rank() == last) (*call)();  // the others wait at the end of the guard
      });
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_TRUE(error.collective());
      EXPECT_NE(std::string(error.what()).find(name + " is collective"), std::string::npos) << error.what();
    }
    EXPECT_EQ(comm.sum(std::int64_t{1}), comm.size());  // behind the guard it is free
  }
}
#endif

}  // namespace
}  // namespace solenoid
