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

/// The list of the files that runs wrote into a folder, kept in the folder's file `.solenoid-result`. That file marks
/// the folder as made by Solenoid, and is locked while a run writes there. Serial: rank 0.
class OutputList {
 public:
  using Say = std::function<void(const std::string&)>;
  static constexpr const char* file_name = ".solenoid-result";

  /// Opens the list in the existing `folder`, or begins one, and locks it until it is destroyed or the process ends in
  /// any way; file systems without locks leave it unlocked. `say` receives a message for each file that is moved aside.
  /// Throws Error: exit code 2 if another run holds the lock for some seconds more or the list is a link or a device, 1
  /// if it cannot be written.
  OutputList(std::filesystem::path folder, Say say);
  ~OutputList();
  OutputList(const OutputList&) = delete;
  OutputList& operator=(const OutputList&) = delete;

  /// Whether Solenoid made `folder` before it kept lists: results cannot be told from other files there.
  static bool is_older_than_lists(const std::filesystem::path& folder);

  /// Lists the file `name`, relative to the folder, before it is created, and creates the folders on its path. An
  /// existing entry of that name that is not on the list belongs to the user: it is renamed to NAME.kept. Throws Error
  /// (exit code 1).
  void add(const std::string& name);

  /// Lists the existing file `name`. Throws Error (exit code 1).
  void adopt(const std::string& name);

  bool has(const std::string& name) const { return names_.count(name) != 0; }

  /// Chooses among the listed names; those of folders end in /.
  using Choice = std::function<bool(const std::string&)>;
  const std::set<std::string>& names() const { return names_; }
  /// Removes the chosen files of the list, and the chosen folders made for them if they are empty. Returns true if
  /// there was a file. Throws Error (exit code 1).
  bool remove(const Choice& is_chosen = [](const std::string&) { return true; });

  /// Starts an empty list for this process. Throws Error (exit code 1).
  void begin();
  /// Continues the existing list, which now also belongs to this process, and removes the files that earlier processes
  /// left in progress. Throws Error (exit code 1).
  void go_on();

 private:
  void read();
  void append(const std::string& text);
  void make_folder(const std::string& name);
  void keep_aside(const std::filesystem::path& path);
  bool is_reached_by_folders(const std::string& name) const;

  std::filesystem::path folder_;
  Say say_;
  int file_ = -1;                      // descriptor of the list; it holds the lock
  std::set<std::string> names_;        // relative to the folder; those of folders end in /
  std::vector<std::string> suffixes_;  // fresh_suffix() of the processes that wrote the list
};

/// The moment from which a run continues an earlier one: after step `step`, at `time` [s].
struct RunMoment {
  std::int64_t step = 0;
  double time = 0;

  /// Whether this moment precedes the end of step `of_step` at `of_time` [s], in either number: the steps of a run with
  /// another step size may have smaller numbers.
  bool is_before(std::int64_t of_step, double of_time) const { return of_step > step || of_time > time; }
};

/// A light handle: copies refer to the same folder and list.
class OutputFolder {
 public:
  OutputFolder() = default;
  /// With `list` on rank 0 of a run; without one on the other ranks, whose files rank 0 lists.
  OutputFolder(std::filesystem::path path, std::shared_ptr<OutputList> list = {})
      : path_(std::move(path)), list_(std::move(list)) {}

  const std::filesystem::path& path() const { return path_; }

  /// The subfolder `name`, or this folder if the name is empty; the list is the same.
  OutputFolder in(const std::string& name) const;

  /// The moment from which this run continues the results in the folder; nullopt for a new run.
  const std::optional<RunMoment>& goes_on_from() const { return goes_on_from_; }
  void go_on_from(const RunMoment& moment) { goes_on_from_ = moment; }

  /// The path for the result file `name`, such as "lines/u_000012.csv": on return the file is listed and its folder
  /// exists. Files written by other ranks are listed on rank 0 first. Throws Error (exit code 1).
  std::filesystem::path file(const std::string& name) const;

  /// The list of the whole result folder, on rank 0 of a run; nullptr elsewhere.
  OutputList* list() const { return list_.get(); }
  /// Whether `name`, if it exists, is a file of this run or of one that it continues.
  bool lists(const std::string& name) const { return !list_ || list_->has(inside_ + name); }

  /// Removes the listed files in the folder `name` and, if nothing else is in it, the folder. Throws Error (exit code
  /// 1).
  void remove_folder(const std::string& name) const;

 private:
  std::filesystem::path path_;
  std::string inside_;  // the path from the folder of the list, empty or ending in /
  std::shared_ptr<OutputList> list_;
  std::optional<RunMoment> goes_on_from_;
};

}  // namespace solenoid
