/// Compressed blocks that the next file of a series can reuse.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace solenoid {

/// Blocks of the last file of a series that compression made smaller: the mesh is the same in the next file.
class CompressedBlocks {
 public:
  void begin_file() { next_ = 0; }
  /// The compressed form of the next block if the last file had the same bytes at that place.
  const std::vector<unsigned char>* find(const unsigned char* plain, std::size_t size) {
    if (++next_ > blocks_.size()) blocks_.emplace_back();
    const Block& block = blocks_[next_ - 1];
    const bool is_same = size > 0 && block.plain.size() == size && std::memcmp(block.plain.data(), plain, size) == 0;
    return is_same ? &block.compressed : nullptr;
  }
  /// Stores the compressed form of the block of the last find().
  void keep(std::span<const unsigned char> plain, std::span<const unsigned char> compressed) {
    blocks_[next_ - 1].plain.assign(plain.begin(), plain.end());
    blocks_[next_ - 1].compressed.assign(compressed.begin(), compressed.end());
  }

 private:
  struct Block {
    std::vector<unsigned char> plain, compressed;
  };
  std::vector<Block> blocks_;
  std::size_t next_ = 0;
};

}  // namespace solenoid
