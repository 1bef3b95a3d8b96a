#include "app/labs/masks/catalogue.h"

#include <fmt/format.h>

#include "app/labs/masks/patterns.h"

namespace lab::masks {
namespace {

const Rule& rule_of(const param::StackItem& item) {
  return rules().at(static_cast<std::size_t>(item.entry));
}

}  // namespace

const std::shared_ptr<const param::Catalogue>& catalogue() {
  static const auto kCatalogue = [] {
    param::Catalogue all{{{"or", N_("or")}, {"and", N_("and")}, {"minus", N_("minus")}}, {}};
    for (const Rule& rule : rules()) all.entries.push_back(rule.entry);
    return std::make_shared<const param::Catalogue>(std::move(all));
  }();
  return kCatalogue;
}

std::string_view pattern_id(const param::StackItem& item) { return rule_of(item).entry.id; }

Needs needs(const param::StackItem& item) { return rule_of(item).needs; }

SparseMask pattern_mask(const param::StackItem& item, const PatternInputs& inputs,
                        const core::Cancel& cancel) {
  return rule_of(item).mask({item, inputs, cancel});
}

Reason reason(const param::StackItem& item, Index i, Index j, const PatternInputs& inputs,
              const SparseMask& mask, const words::Words& w) {
  return rule_of(item).reason({{item, inputs, {}}, i, j, mask.allowed(i, j), w});
}

std::optional<ClosedForm> closed_form(const param::StackItem& item, Index n) {
  const Count& count = rule_of(item).count;
  const Asked asked{item, {.n = n}, {}};
  const auto pairs = count.pairs ? count.pairs(asked) : std::nullopt;
  if (!pairs) return std::nullopt;
  const bool cut = !count.letter.empty() && asked.given(count.argument) > n;
  return ClosedForm{
      std::string(count.formula) + (cut ? fmt::format(",  {} = n", count.letter) : ""), *pairs};
}

std::string item_name(const param::StackItem& item, const words::Words& w) {
  const param::Entry& entry = rule_of(item).entry;
  std::string text = w(entry.label);
  for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
    text += fmt::format("{} {}={}", k == 0 ? ":" : ",", entry.arguments[k].id, item.arguments[k]);
  }
  return text;
}

std::string_view join_name(Join join) {
  return catalogue()->operations.at(static_cast<std::size_t>(join)).label;
}

}  // namespace lab::masks
