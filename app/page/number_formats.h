// The three writers behind export_numbers.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/labs/lab.h"
#include "app/page/atomic_file.h"

namespace page {

void write_json(const std::vector<figure::Figure>& figures,
                const std::vector<lab::Readout>& readouts, const std::string& session,
                AtomicFile& file);
void write_csv(const std::vector<figure::Figure>& figures, AtomicFile& file);
void write_npy(const std::vector<figure::Figure>& figures, AtomicFile& file);

// Throws core::InputError unless the figures hold one array; writes nothing.
void check_npy(const std::vector<figure::Figure>& figures);

// The shortest text that reads back as the same number; "NaN", "Infinity", "-Infinity".
std::string exact(float value);
std::string exact(double value);

// Every row of a source in order, read in blocks.
void each_row(const figure::TileSource& source,
              const std::function<void(core::Index, std::span<const float>)>& visit);

}  // namespace page
