/// The process that Gmsh works in: its answers, its faults, its end.
#include "io/gmsh/gmsh_process.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/host_memory.hpp"

namespace solenoid::test {
namespace {

const MeshRequest of_part{"part.step", {}, 1};

std::vector<std::string> said;

std::string result_of(const std::function<std::string(const GmshReports&)>& work,
                      const MeshRequest& request = of_part) {
  said.clear();
  return in_gmsh_process(
      request, [](const std::string& line) { said.push_back(line); }, work);
}

void expect_failure(const std::function<std::string(const GmshReports&)>& work, ExitCode code,
                    const std::string& text) {
  try {
    result_of(work);
    ADD_FAILURE() << "no failure: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(GmshProcess, ItsTextAndLinesArrive) {
  std::string long_text(300000, 'x');
  long_text[7] = '\0';
  long_text[11] = '\n';
  int here = 1;
  EXPECT_EQ(result_of([&](const GmshReports& reports) {
              here = 2;
              reports.say("first");
              reports.say("");
              reports.begin("an activity");
              reports.say("last");
              return long_text;
            }),
            long_text);
  EXPECT_EQ(said, (std::vector<std::string>{"first", "", "last"}));
  EXPECT_EQ(here, 1);  // the child has its own memory
}

TEST(GmshProcess, ItsFaultsAreErrorsHere) {
  expect_failure([](const GmshReports&) -> std::string { throw Error(ExitCode::bad_input, "a hole at x"); },
                 ExitCode::bad_input, "a hole at x");
  expect_failure([](const GmshReports&) -> std::string { throw Error(ExitCode::failure, "no disk"); },
                 ExitCode::failure, "no disk");
  expect_failure([](const GmshReports&) -> std::string { throw std::string("Gmsh 4.8's way"); }, ExitCode::bad_input,
                 "part.step: Gmsh cannot mesh it: Gmsh 4.8's way");
  expect_failure([](const GmshReports&) -> std::string { throw std::runtime_error("words"); }, ExitCode::failure,
                 "part.step: words");
  // As where it leaves a parallel loop.
  expect_failure(
      [](const GmshReports&) {
        std::thread([] { throw std::string("in a thread"); }).join();
        return std::string();
      },
      ExitCode::bad_input, "in a thread");
}

TEST(GmshProcess, ItsCrashIsAMessage) {
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE}) {
    const auto crash = [number](const GmshReports&) {
      std::raise(number);
      return std::string();
    };
    expect_failure(crash, ExitCode::failure, "part.step: Gmsh crashed on it");
  }
  const auto killed = [](const GmshReports&) {
    std::raise(SIGKILL);
    return std::string();
  };
  expect_failure(killed, ExitCode::failure, "part.step: the system ended Gmsh, as it does where memory runs out");
  expect_failure([](const GmshReports&) -> std::string { ::_exit(3); }, ExitCode::failure, "exit code 3");
}

TEST(GmshProcess, ItGetsNoMoreMemoryThanThereIs) {
  const auto size = static_cast<std::size_t>(1.5 * host_bytes_left());
  const auto take = [size](const GmshReports&) {
    void* const taken = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (taken == MAP_FAILED) return std::string("refused");
    munmap(taken, size);
    return std::string("given");
  };
  EXPECT_EQ(take(GmshReports(-1)), "given");
  EXPECT_EQ(result_of(take), "refused");
  expect_failure([](const GmshReports&) -> std::string { throw std::bad_alloc(); }, ExitCode::failure,
                 "part.step: memory ran out in Gmsh");
}

TEST(GmshProcess, WhatTakesLongIsTold_Long) {
  MeshRequest request = of_part;
  request.patience = 0.1;
  result_of(
      [](const GmshReports& reports) {
        ::usleep(150000);  // of no name
        reports.begin("the first", "; wait");
        ::usleep(250000);
        reports.begin("");
        ::usleep(150000);
        return std::string();
      },
      request);
  ASSERT_GE(said.size(), 2u);
  EXPECT_EQ(said[0], "the first has been running for 0.1 s and is not done: Ctrl-C ends it; wait");
  EXPECT_EQ(said[1], "the first has been running for 0.2 s and is not done: Ctrl-C ends it; wait");
  for (const std::string& line : said) EXPECT_TRUE(line.starts_with("the first")) << line;
}

}  // namespace
}  // namespace solenoid::test
