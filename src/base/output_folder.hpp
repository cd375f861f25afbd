/// The result folder and the list of its files, so that the next run removes these and no others; nothing is written
/// through links.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace solenoid {

/// What the runs of a folder wrote into it, by the list in the folder's file `.solenoid-result`. That file says that
/// Solenoid made the folder, and is locked as long as a run writes there. Serial: rank 0.
class OutputList {
 public:
  using Say = std::function<void(const std::string&)>;
  static constexpr const char* file_name = ".solenoid-result";

  /// Takes up the list in `folder`, which is there, or begins one, and locks it until it is destroyed or the process
  /// ends in whatever way; file systems without locks leave it unlocked. `say` is told what has to make room. Throws
  /// Error: exit code 2 where another run holds it for some seconds more or the list is none, 1 where it cannot be
  /// written.
  OutputList(std::filesystem::path folder, Say say);
  ~OutputList();
  OutputList(const OutputList&) = delete;
  OutputList& operator=(const OutputList&) = delete;

  /// Whether Solenoid made `folder` before it kept lists: what is a result there cannot be told.
  static bool is_older_than_lists(const std::filesystem::path& folder);

  /// Lists the file `name`, relative to the folder, which is about to be made, and makes the folders on its way. What
  /// has such a name and is not on the list is somebody's own: it is renamed, to NAME.kept. Throws Error (exit code 1).
  void add(const std::string& name);

  /// Lists the file `name`, which is there. Throws Error (exit code 1).
  void adopt(const std::string& name);

  bool has(const std::string& name) const { return names_.count(name) != 0; }

  /// Chooses among the names on the list; those of folders end in /.
  using Choice = std::function<bool(const std::string&)>;
  const std::set<std::string>& names() const { return names_; }
  /// Removes the listed files that are chosen, and the chosen folders made for them where nothing else is in them. True
  /// if there was a file. Throws Error (exit code 1).
  bool remove(const Choice& is_chosen = [](const std::string&) { return true; });

  /// Begins anew with an empty list of this process. Throws Error (exit code 1).
  void begin();
  /// Goes on with the list that is there, of this process too, and removes what earlier ones left in the making. Throws
  /// Error (exit code 1).
  void go_on();

 private:
  void read();
  void append(const std::string& text);
  void make_folder(const std::string& name);
  void keep_aside(const std::filesystem::path& path);
  bool is_reached_by_folders(const std::string& name) const;

  std::filesystem::path folder_;
  Say say_;
  int file_ = -1;                      // descriptor of the list, which has the lock
  std::set<std::string> names_;        // relative to the folder; those of folders end in /
  std::vector<std::string> suffixes_;  // fresh_suffix() of the processes that wrote the list
};

/// Where a run goes on that another one began: after step `step`, at `time` [s].
struct RunMoment {
  std::int64_t step = 0;
  double time = 0;

  /// Whether a step that ended at `of_time` [s] is of another way on from here: one of a run that took other steps may
  /// have a smaller number.
  bool is_before(std::int64_t of_step, double of_time) const { return of_step > step || of_time > time; }
};

/// A light handle: copies name the same folder and list.
class OutputFolder {
 public:
  OutputFolder() = default;
  /// With `list` for rank 0 of a run. Without one for its other ranks, whose files rank 0 has listed.
  OutputFolder(std::filesystem::path path, std::shared_ptr<OutputList> list = {})
      : path_(std::move(path)), list_(std::move(list)) {}

  const std::filesystem::path& path() const { return path_; }

  /// The folder `name` in it, or itself where that is empty; the list is the same.
  OutputFolder in(const std::string& name) const;

  /// Where this run goes on with what is in the folder; nothing where it begins.
  const std::optional<RunMoment>& goes_on_from() const { return goes_on_from_; }
  void go_on_from(const RunMoment& moment) { goes_on_from_ = moment; }

  /// Where to write the file `name` of the results, such as "lines/u_000012.csv": it is listed and its folder made when
  /// this returns. Files that other ranks write are asked for on rank 0 first. Throws Error (exit code 1).
  std::filesystem::path file(const std::string& name) const;

  /// What is in the whole folder of the results, on rank 0 of a run; nullptr elsewhere.
  OutputList* list() const { return list_.get(); }
  /// Whether `name` is a file of this run or one that it goes on from, if it is there at all.
  bool lists(const std::string& name) const { return !list_ || list_->has(inside_ + name); }

  /// Removes the listed files in the folder `name` and, where nothing else is in it, the folder. Throws Error (exit
  /// code 1).
  void remove_folder(const std::string& name) const;

 private:
  std::filesystem::path path_;
  std::string inside_;  // the way from the folder that has the list, empty or with a / behind it
  std::shared_ptr<OutputList> list_;
  std::optional<RunMoment> goes_on_from_;
};

}  // namespace solenoid
