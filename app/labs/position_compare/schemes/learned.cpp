#include "core/position/learned/learned.h"
#include "app/labs/position_compare/schemes.h"
#include "app/labs/shared/parts.h"

namespace lab::position_compare {

namespace {

// Beyond the table it is 0, which no allowed pair sees.
void bring_learned(const SchemeKnobs& p, const Content& content, Inside& inside) {
  const Index n = content.n(), rows = std::min<Index>(n, p.trained_length);
  const MatrixD table = random_table(TableKind::learned, rows, p.d_model, p.table_size, p.seed);
  bring_added(core::learned_positions(table, numbered(n), core::BeyondTable::zeros), content,
              inside);
}

}  // namespace

const Compared compared::learned{.acts = N_("absolute, added to X"),
                                 .acts_source = N_("Gehring et al. 2017, section 3.1"),
                                 .beyond = N_("no: there is no row beyond the last one"),
                                 .beyond_source = N_("Gehring et al. 2017, section 3.1"),
                                 .formula = kAddedFormula,
                                 .uses = {.trained_length = true, .table_size = true},
                                 .bring = bring_learned,
                                 .parts = added_parts,
                                 .known =
                                     [](const SchemeKnobs& p, Index n) {
                                       const Index trained = std::min<Index>(p.trained_length, n);
                                       return Mask::query_padding(n, n, trained) &
                                              Mask::key_padding(n, n, trained);
                                     },
                                 .table_ends = true};

}  // namespace lab::position_compare
