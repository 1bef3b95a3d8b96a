// The three writers behind export_numbers.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/labs/lab.h"
#include "app/system/atomic_file.h"

namespace paper {

// Destination of numbers: a file, or a text in memory.
class NumbersSink {
 public:
  virtual ~NumbersSink() = default;
  virtual void write(std::string_view bytes) = 0;
  virtual const core::Cancel& cancel() const = 0;
  // Counts cells written; throws core::Cancelled.
  virtual void wrote_cells(core::Index count) = 0;
};

// What is written, in memory.
class NumbersText final : public NumbersSink {
 public:
  explicit NumbersText(core::Cancel cancel = {}) : cancel_(std::move(cancel)) {}
  void write(std::string_view bytes) override { text_ += bytes; }
  const core::Cancel& cancel() const override { return cancel_; }
  void wrote_cells(core::Index) override { cancel_.poll(); }
  std::string& text() { return text_; }

 private:
  std::string text_;
  core::Cancel cancel_;
};

// A file of numbers that reports the share of all cells written, and stops when asked to.
class NumbersFile : public sys::AtomicFile, public NumbersSink {
 public:
  NumbersFile(const std::filesystem::path& target, const std::vector<figure::Figure>& figures,
              core::Cancel cancel);
  void write(std::string_view bytes) override { sys::AtomicFile::write(bytes); }
  const core::Cancel& cancel() const override { return cancel_; }
  void wrote_cells(core::Index count) override;

 private:
  core::Cancel cancel_;
  double done_ = 0, all_ = 0;
};

void write_json(const std::vector<figure::Figure>& figures,
                const std::vector<lab::Readout>& readouts, const std::vector<std::string>& notes,
                const std::vector<lab::Card>& statements, const std::string& session,
                NumbersSink& file);
struct CsvOptions {
  bool bom = false;                        // UTF-8's mark before the first byte
  std::vector<std::string> comments = {};  // lines that begin with "# ", before the header
};
void write_csv(const std::vector<figure::Figure>& figures, const CsvOptions& options,
               NumbersSink& file);
// Bytes of a heatmap's cell in such a table beside the text of its value.
double csv_bytes_beside_a_value(const std::vector<figure::Figure>& figures,
                                const figure::Figure& figure, const figure::Plot& plot,
                                const figure::TileSource& source);
// One block a mark: for the clipboard.
void write_blocks(const std::vector<figure::Figure>& figures, NumbersSink& file);
void write_npy(const std::vector<figure::Figure>& figures, NumbersSink& file);
void write_npz(const std::vector<figure::Figure>& figures, NumbersSink& file);

// Throws core::InputError unless the figures hold one array; writes nothing.
void check_npy(const std::vector<figure::Figure>& figures);
// Throws core::InputError unless the figures hold some array.
void check_npz(const std::vector<figure::Figure>& figures);

// Throws IoError when the disk of `out` has less room than `bytes`.
void check_room(const std::filesystem::path& out, double bytes);

// A name's ending in small letters: ".png".
std::string ending_of(const std::filesystem::path& out);

// The shortest text that reads back as the same number; "NaN", "Infinity", "-Infinity".
std::string exact(float value);
std::string exact(double value);

// Every row of a source in order, read in blocks, on its way there.
void each_row(const figure::TileSource& source, NumbersSink& file,
              const std::function<void(core::Index, std::span<const float>)>& visit);

}  // namespace paper
