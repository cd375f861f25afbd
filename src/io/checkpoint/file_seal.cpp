#include "io/checkpoint/file_seal.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/error.hpp"
#include "base/fingerprint.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

constexpr std::array<char, 8> mark{'s', 'o', 'l', 's', 'e', 'a', 'l', '1'};

struct Seal {
  std::array<char, 8> mark;
  std::int64_t bytes, fingerprint;
};

void require_readable(bool condition, const fs::path& file) {
  require_input(condition, [&] { return message("{}: cannot be read: {}", file.string(), std::strerror(errno)); });
}

/// The value of rank 0, on every rank. Collective.
std::int64_t of_root(const Comm& comm, std::int64_t value) { return comm.sum(comm.is_root() ? value : 0); }

/// Of the first `bytes` of the file, in words of eight bytes; the last word is padded with zeros. Collective.
std::int64_t fingerprint_of(const Comm& comm, const fs::path& file, std::int64_t bytes) {
  constexpr std::int64_t word = sizeof(std::uint64_t), longest = 1 << 15;  // words at once
  const std::int64_t words = (bytes + word - 1) / word, share = (words + comm.size() - 1) / comm.size();
  const std::int64_t end = std::min(words, (comm.rank() + 1) * share);
  Fingerprint fingerprint;
  comm.guard([&] {
    std::ifstream in(file, std::ios::binary);
    std::vector<std::uint64_t> block(static_cast<std::size_t>(std::clamp(share, std::int64_t{1}, longest)));
    in.seekg(std::min(words, comm.rank() * share) * word);
    for (std::int64_t at = comm.rank() * share; at < end; at += static_cast<std::int64_t>(block.size())) {
      const std::int64_t wanted =
          std::min(std::min(end, at + static_cast<std::int64_t>(block.size())) * word, bytes) - at * word;
      const auto count = static_cast<std::size_t>((wanted + word - 1) / word);
      block[count - 1] = 0;
      in.read(reinterpret_cast<char*>(block.data()), wanted);
      require_readable(in.gcount() == wanted, file);
      for (std::size_t k = 0; k < count; ++k) fingerprint.add(static_cast<std::uint64_t>(at) + k, block[k]);
    }
  });
  return fingerprint.of_all_ranks(comm);
}

}  // namespace

void seal_file(const Comm& comm, const fs::path& file) {
  Seal seal{mark, 0, 0};
  comm.guard([&] {
    if (comm.is_root()) seal.bytes = static_cast<std::int64_t>(fs::file_size(file));
  });
  seal.bytes = of_root(comm, seal.bytes);
  seal.fingerprint = fingerprint_of(comm, file, seal.bytes);
  comm.guard([&] {
    if (!comm.is_root()) return;
    std::ofstream out(file, std::ios::binary | std::ios::app);
    out.write(reinterpret_cast<const char*>(&seal), sizeof seal);
    out.close();
    require(out.good(), [&] { return message("{}: cannot be written: {}", file.string(), std::strerror(errno)); });
  });
}

std::string broken_seal(const Comm& comm, const fs::path& file) {
  Seal seal{};
  comm.guard([&] {
    if (!comm.is_root()) return;
    const auto size = static_cast<std::int64_t>(fs::file_size(file)), bytes = size - std::int64_t{sizeof seal};
    if (bytes < 0) return;
    std::ifstream in(file, std::ios::binary);
    in.seekg(bytes);
    in.read(reinterpret_cast<char*>(&seal), sizeof seal);
    require_readable(in.good(), file);
    if (seal.mark != mark || seal.bytes != bytes) seal = {};
  });
  seal.bytes = of_root(comm, seal.bytes);
  seal.fingerprint = of_root(comm, seal.fingerprint);
  if (seal.bytes == 0) return "is no checkpoint, or not whole: it does not end as one";
  return fingerprint_of(comm, file, seal.bytes) == seal.fingerprint
             ? ""
             : "is broken: its content differs from that written";
}

}  // namespace solenoid
