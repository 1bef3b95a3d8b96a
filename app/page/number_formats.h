// The three writers behind export_numbers.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/labs/lab.h"
#include "app/page/atomic_file.h"

namespace page {

// A file of numbers that tells how much of all cells is written, and stops when that is asked.
class NumbersFile : public AtomicFile {
 public:
  NumbersFile(const std::filesystem::path& target, const std::vector<figure::Figure>& figures,
              core::Cancel cancel);
  const core::Cancel& cancel() const { return cancel_; }
  // So many more; throws core::Cancelled.
  void wrote_cells(core::Index count);

 private:
  core::Cancel cancel_;
  double done_ = 0, all_ = 0;
};

void write_json(const std::vector<figure::Figure>& figures,
                const std::vector<lab::Readout>& readouts, const std::vector<std::string>& notes,
                const std::string& session, NumbersFile& file);
void write_csv(const std::vector<figure::Figure>& figures, NumbersFile& file);
void write_npy(const std::vector<figure::Figure>& figures, NumbersFile& file);

// Throws core::InputError unless the figures hold one array; writes nothing.
void check_npy(const std::vector<figure::Figure>& figures);

// Throws IoError when the disk of `out` has less room than that.
void check_room(const std::filesystem::path& out, double bytes);

// A name's ending in small letters: ".png".
std::string ending_of(const std::filesystem::path& out);

// "1.02 kB", "4.4 TB".
std::string size_text(double bytes);

// The shortest text that reads back as the same number; "NaN", "Infinity", "-Infinity".
std::string exact(float value);
std::string exact(double value);

// Every row of a source in order, read in blocks, on its way to the file.
void each_row(const figure::TileSource& source, NumbersFile& file,
              const std::function<void(core::Index, std::span<const float>)>& visit);

}  // namespace page
