#include "app/labs/decoding/rules.h"

#include "app/param/reading.h"
#include "core/text/printable.h"

namespace lab::decoding {
namespace {

// A word of the text and where it begins.
struct Word {
  std::string_view text;
  std::size_t at;
};

constexpr std::string_view kSpaces = " \t\r\n";

std::vector<Word> words_of(std::string_view text, std::size_t from) {
  std::vector<Word> words;
  for (std::size_t at = text.find_first_not_of(kSpaces); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpaces, at), text.size());
    words.push_back({text.substr(at, end - at), from + at});
    at = text.find_first_not_of(kSpaces, end);
  }
  return words;
}

class RuleReader {
 public:
  explicit RuleReader(const std::string& text) : text_(text) {}

  Rules read() {
    for (std::size_t at = 0; at <= text_.size();) {
      const std::size_t end = std::min(text_.find(';', at), text_.size());
      add_rule(std::string_view(text_).substr(at, end - at), at);
      at = end + 1;
    }
    const bool general = std::any_of(rules_.rules.begin(), rules_.rules.end(),
                                     [](const auto& rule) { return rule.context.empty(); });
    if (!general) {
      words::refuse<core::InputError>(
          N_("rules: expected one without a context, such as A:0.4 B:0.6, for texts that match no "
             "other rule; got none"));
    }
    // Now all tokens are known.
    for (std::size_t k = 0; k < rules_.rules.size(); ++k) finish(rules_.rules[k], k + 1);
    return std::move(rules_);
  }

 private:
  void add_rule(std::string_view part, std::size_t from) {
    if (part.find_first_not_of(kSpaces) == part.npos) return;
    if (rules_.rules.size() == kMostRules) {
      words::refuse<core::InputError>(N_("rules: expected at most {}, got more"), kMostRules);
    }
    number_ = rules_.rules.size() + 1;
    Rules::Rule rule;
    const std::vector<Word> words = words_of(part, from);
    // ">" alone parts the context from the tokens; elsewhere it is a token like others.
    const auto arrow =
        std::find_if(words.begin(), words.end(), [](const Word& word) { return word.text == ">"; });
    auto first = words.begin();
    if (arrow != words.end()) {
      for (; first != arrow; ++first) rule.context.push_back(id_of(first->text));
      ++first;
    }
    std::optional<bool> logits;
    for (; first != words.end(); ++first) add_entry(*first, rule, logits);
    rule.logits = logits.value_or(false);
    if (rule.logits) {
      for (Rules::Entry& entry : rule.entries) entry.value = entry.alone ? 0 : entry.value;
    }
    rules_.rules.push_back(std::move(rule));
  }

  // `said`: whether the rule's numbers are logits.
  void add_entry(const Word& word, Rules::Rule& rule, std::optional<bool>& said) {
    const std::size_t sign = word.text.find_last_of(":=");
    // A sign in front is the token itself.
    Rules::Entry entry;
    entry.alone = sign == word.text.npos || sign == 0;
    entry.end = word.at + word.text.size();
    entry.begin = entry.alone ? entry.end : word.at + sign + 1;
    const std::string_view name = entry.alone ? word.text : word.text.substr(0, sign);
    if (!entry.alone) {
      const bool logit = word.text[sign] == '=';
      if (said && *said != logit) {
        words::refuse<core::InputError>(
            N_("rule {}: expected either probabilities, A:0.4, or logits, A=2, got both"), number_);
      }
      said = logit;
      entry.value = number(word.text.substr(sign + 1), name, logit);
    }
    entry.token = id_of(name);
    const bool twice =
        std::any_of(rule.entries.begin(), rule.entries.end(),
                    [&](const Rules::Entry& other) { return other.token == entry.token; });
    if (twice) {
      words::refuse<core::InputError>(N_("rule {}: expected each token once, got {} twice"),
                                      number_, core::printable(std::string(name), 40));
    }
    rule.entries.push_back(entry);
  }

  double number(std::string_view text, std::string_view token, bool logits) const {
    const auto value = param::whole<double>(text);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const bool fits = value && (logits ? *value < kInfinity : *value >= 0 && *value < kInfinity);
    if (!fits) {
      words::refuse<core::InputError>(
          logits ? N_("rule {}: expected a finite logit or -inf for {}, got {}")
                 : N_("rule {}: expected a probability of at least 0 for {}, got {}"),
          number_, core::printable(std::string(token), 40), param::shown(text));
    }
    return *value;
  }

  std::int32_t id_of(std::string_view token) {
    if (const auto known = rules_.find(token)) return *known;
    if (rules_.tokens.size() == kMostTokens) {
      words::refuse<core::InputError>(N_("rules: expected at most {} tokens, got more"),
                                      kMostTokens);
    }
    rules_.tokens.emplace_back(token);
    return static_cast<std::int32_t>(rules_.tokens.size() - 1);
  }

  void finish(Rules::Rule& rule, std::size_t number) const {
    const bool logits = rule.logits;
    const auto count = to_index(rules_.tokens.size());
    const double never = logits ? -std::numeric_limits<double>::infinity() : 0;
    VectorD values = VectorD::Constant(count, never);
    for (const Rules::Entry& entry : rule.entries) values(entry.token) = entry.value;
    if (logits ? values.maxCoeff() == never : !(values.sum() > 0 && std::isfinite(values.sum()))) {
      words::refuse<core::InputError>(
          N_("rule {}: expected a probability above 0 for at least one token, got none"), number);
    }
    if (logits) {
      rule.distribution = Distribution::of_logits(values);
      return;
    }
    rule.sum = values.sum();
    // What sums to 1 as far as doubles can tell stays as it is, to the last bit.
    if (std::abs(rule.sum - 1) > 1e-12) {
      values /= rule.sum;
    } else {
      rule.sum = 1;
    }
    rule.distribution = Distribution::of_probabilities(values);
  }

  const std::string& text_;
  std::size_t number_ = 1;  // of the rule, from 1
  Rules rules_;
};

}  // namespace

std::optional<std::int32_t> Rules::find(std::string_view token) const {
  const auto found = std::find(tokens.begin(), tokens.end(), token);
  if (found == tokens.end()) return std::nullopt;
  return static_cast<std::int32_t>(found - tokens.begin());
}

const Rules::Rule& Rules::after(const Ids& text) const {
  const Rule* best = nullptr;
  for (const Rule& rule : rules) {
    const std::size_t length = rule.context.size();
    if (length > text.size() || (best && length < best->context.size())) continue;
    if (std::equal(rule.context.begin(), rule.context.end(),
                   text.end() - static_cast<std::ptrdiff_t>(length))) {
      best = &rule;
    }
  }
  return *best;  // one has no context
}

Rules read_rules(const std::string& text) { return RuleReader(text).read(); }

Around around(const std::string& text, const Rules::Entry& entry, bool logits) {
  return {text.substr(0, entry.begin) + (!entry.alone ? ""
                                         : logits     ? "="
                                                      : ":"),
          text.substr(entry.end)};
}

std::string normalized(const std::string& text, const Rules& rules) {
  std::string out;
  std::size_t from = 0;
  for (const Rules::Rule& rule : rules.rules) {
    for (const Rules::Entry& entry : rule.entries) {
      if (rule.sum == 1) continue;
      out += text.substr(from, entry.begin - from) + (entry.alone ? ":" : "");
      out += fmt::format("{:.6g}", entry.value / rule.sum);
      from = entry.end;
    }
  }
  return out + text.substr(from);
}

}  // namespace lab::decoding
