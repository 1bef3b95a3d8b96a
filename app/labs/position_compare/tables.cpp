#include "app/labs/position_compare/tables.h"

#include "core/random.h"

namespace lab::position_compare {

core::MatrixD random_table(TableKind which, core::Index rows, core::Index cols, double size,
                           int seed, core::Index head) {
  // Streams of projections (shared/tokens.h) end below this.
  constexpr std::uint64_t kFirstStream = 4096;
  core::Random random(core::stream_seed(
      static_cast<std::uint64_t>(seed),
      kFirstStream + 64 * static_cast<std::uint64_t>(which) + static_cast<std::uint64_t>(head)));
  core::MatrixD table(rows, cols);
  for (core::Index k = 0; k < table.size(); ++k) table.data()[k] = size * random.gaussian();
  return table;
}

}  // namespace lab::position_compare
