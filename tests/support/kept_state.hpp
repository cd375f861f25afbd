/// A state kept as a checkpoint keeps it, for who has no file.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "mesh/host_exchange.hpp"
#include "model/state_visitor.hpp"
#include "parallel/memory.hpp"

namespace solenoid::test {

/// Numbers and lists, and rows by their numbers whoever has them. What it lacks stays as it is, and is noted.
class KeptState : public StateVisitor {
 public:
  explicit KeptState(const Comm& comm) : comm_(comm) {}
  bool restores = false;
  std::vector<std::string> missing;
  void number(const std::string& name, real& value) override { exchange(numbers_, name, value); }
  void number(const std::string& name, std::int64_t& value) override { exchange(integers_, name, value); }
  void list(const std::string& name, std::vector<double>& values) override { exchange(lists_, name, values); }

 private:
  template <class T>
  void exchange(std::map<std::string, T>& kept, const std::string& name, T& value) {
    if (!restores) {
      EXPECT_TRUE(kept.emplace(name, value).second) << name << " is there twice";
    } else if (kept.contains(name)) {
      value = kept.at(name);
    } else {
      missing.push_back(name);
    }
  }
  bool array(const std::string& name, const LocalNumbering& numbering, real* values, int components) override {
    std::vector<real> own(static_cast<std::size_t>(numbering.owned * components));
    std::vector<real>& rows = rows_[name];
    const auto place = [&](std::int64_t row, std::size_t k) {
      return static_cast<std::size_t>(row) * static_cast<std::size_t>(components) + k % components;
    };
    if (!restores) {
      copy_to_host(own.data(), values, own.size() * sizeof(real));
      const std::vector<std::int64_t> ids(numbering.global_id.begin(), numbering.global_id.begin() + numbering.owned),
          all_ids = from_all_ranks(comm_, ids);
      const std::vector<real> all = from_all_ranks(comm_, own);
      rows.resize(all.size());
      for (std::size_t k = 0; k < all.size(); ++k) rows[place(all_ids[k / components], k)] = all[k];
      return true;
    }
    if (rows.empty()) {
      missing.push_back(name);
      return false;
    }
    for (std::size_t k = 0; k < own.size(); ++k) own[k] = rows.at(place(numbering.global_id[k / components], k));
    copy_to_device(values, own.data(), own.size() * sizeof(real));
    return true;
  }
  Comm comm_;
  std::map<std::string, real> numbers_;
  std::map<std::string, std::int64_t> integers_;
  std::map<std::string, std::vector<double>> lists_;
  std::map<std::string, std::vector<real>> rows_;
};

}  // namespace solenoid::test
