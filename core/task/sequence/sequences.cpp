#include "core/task/sequence/sequences.h"

#include <algorithm>
#include <numeric>

#include "core/message.h"
#include "core/refuse.h"
#include "core/task/sequence/stories.h"
#include "core/task/wanted.h"
#include "core/text/printable.h"

namespace core::task {
namespace {

constexpr std::int32_t kStart = 0, kEnd = 1, kAsks = 2, kFirst = 3;
constexpr std::int32_t kNothing = -1;
constexpr std::string_view kSymbols =
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr auto kMostSymbols = static_cast<Index>(kSymbols.size());
constexpr Index kMostLength = 4096, kMostDigits = 9;

void require(const char* what, Index value, Index least, Index most) {
  if (value >= least && value <= most) return;
  refuse(what, "from " + std::to_string(least) + " to " + std::to_string(most),
         std::to_string(value));
}

// A sequence while it is written; tokens say whether the next one counts.
class SequenceWriter {
 public:
  explicit SequenceWriter(std::int32_t start) { read(start); }
  // A token that could not be known.
  void read(std::int32_t id) { put(id, kNothing, false, kNothing); }
  // One that the tokens before it say; `source` is the place of the one that says it.
  void write(std::int32_t id, Index source = kNothing, bool evaluated = true) {
    put(id, id, evaluated, static_cast<std::int32_t>(source));
  }
  Index size() const { return static_cast<Index>(made_.ids.size()); }
  Sequence take() {
    // What comes after the last token nobody asks.
    made_.ids.pop_back();
    return std::move(made_);
  }

 private:
  void put(std::int32_t id, std::int32_t next, bool evaluated, std::int32_t source) {
    if (!made_.ids.empty()) {
      made_.next.push_back(next);
      made_.evaluated.push_back(evaluated ? 1 : 0);
      made_.source.push_back(source);
    }
    made_.ids.push_back(id);
  }
  Sequence made_;
};

// `count` of the symbols from kFirst on, in any order.
std::vector<std::int32_t> draw_symbols(Index symbols, Index count, bool repeats, Random& random) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(symbols));
  std::iota(all.begin(), all.end(), kFirst);
  std::vector<std::int32_t> drawn;
  for (Index k = 0; k < count; ++k) {
    const Index from = repeats ? 0 : k;
    const auto at = static_cast<std::size_t>(from + below(random, symbols - from));
    drawn.push_back(all[at]);
    if (!repeats) std::swap(all[at], all[static_cast<std::size_t>(k)]);
  }
  return drawn;
}

Sequence draw_induction(const SequenceTask& task, Index length, Random& random) {
  const Index period = task.shortest + below(random, task.longest - task.shortest + 1);
  const auto symbols = draw_symbols(task.symbols, period, false, random);
  const auto at = [&](Index t) { return symbols[static_cast<std::size_t>(t % period)]; };
  SequenceWriter writer(at(0));
  for (Index t = 1; t <= length; ++t) {
    // The first time round all that can be learned is what has not been yet.
    const bool again = t > period;
    writer.write(at(t), again ? t - period : kNothing, again);
  }
  return writer.take();
}

Sequence draw_letters(const SequenceTask& task, Index count, Random& random) {
  const auto symbols = draw_symbols(task.symbols, count, task.repeats, random);
  SequenceWriter writer(kStart);
  for (const std::int32_t id : symbols) writer.read(id);
  writer.read(kAsks);
  std::vector<Index> order(symbols.size());
  std::iota(order.begin(), order.end(), 0);
  if (task.story == Story::reverse) std::reverse(order.begin(), order.end());
  if (task.story == Story::sort) {
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return symbols[static_cast<std::size_t>(a)] < symbols[static_cast<std::size_t>(b)];
    });
  }
  for (const Index k : order) writer.write(symbols[static_cast<std::size_t>(k)], 1 + k);
  writer.write(kEnd);
  return writer.take();
}

std::vector<std::int32_t> digits_of(std::uint64_t number, Index count, bool lowest_first) {
  std::vector<std::int32_t> digits;
  for (Index k = 0; k < count; ++k, number /= 10) {
    digits.push_back(kFirst + static_cast<std::int32_t>(number % 10));
  }
  if (!lowest_first) std::reverse(digits.begin(), digits.end());
  return digits;
}

constexpr std::int32_t kPlus = kFirst + 10, kEquals = kAsks;

Sequence draw_sum(const SequenceTask& task, Index digits, Random& random) {
  std::uint64_t most = 1;
  for (Index k = 0; k < digits; ++k) most *= 10;
  const std::uint64_t a = random.next() % most, b = random.next() % most;
  SequenceWriter writer(kStart);
  for (const auto id : digits_of(a, digits, task.lowest_first)) writer.read(id);
  writer.read(kPlus);
  for (const auto id : digits_of(b, digits, task.lowest_first)) writer.read(id);
  writer.read(kEquals);
  for (const auto id : digits_of(a + b, digits + 1, task.lowest_first)) writer.write(id);
  writer.write(kEnd);
  return writer.take();
}

// Two kinds, "()" and "[]", in one order: opening ones are even steps from kFirst.
Sequence draw_brackets(const SequenceTask& task, Index pairs, Random& random) {
  SequenceWriter writer(kStart);
  struct Open {
    std::int32_t id;
    Index position;
  };
  std::vector<Open> open;
  for (Index opened = 0, closed = 0; closed < pairs;) {
    const bool may_open = opened < pairs && static_cast<Index>(open.size()) < task.depth;
    if (open.empty() || (may_open && random.below(2) == 0)) {
      const std::int32_t id = kFirst + 2 * static_cast<std::int32_t>(random.below(2));
      open.push_back({id, writer.size()});
      writer.write(id, kNothing, false);
      ++opened;
    } else {
      writer.write(open.back().id + 1, open.back().position);
      open.pop_back();
      ++closed;
    }
  }
  writer.write(kEnd, kNothing, false);
  return writer.take();
}

// A stretch of lines. The place of a character of a line is that in the line and what came before.
Sequence draw_text(const SequenceTask& task, bool held, Random& random) {
  const std::vector<std::string>& known = story_characters(task.language);
  std::vector<std::int32_t> ids;
  std::vector<Agreement> rules;
  Index first = 0;
  while (static_cast<Index>(ids.size()) <= first + task.length) {
    const StoryLine line = draw_line(task.language, random);
    const auto at = static_cast<Index>(ids.size());
    for (const std::string& character : split(line.text, Unit::characters)) {
      const auto found = std::lower_bound(known.begin(), known.end(), character);
      ids.push_back(kFirst + static_cast<std::int32_t>(found - known.begin()));
    }
    if (at == 0 && !held) first = below(random, static_cast<Index>(ids.size()));
    for (const Agreement& rule : line.agreements) {
      rules.push_back({rule.kind, at + rule.decides, at + rule.follows});
    }
  }
  const auto id = [&](Index k) { return ids[static_cast<std::size_t>(first + k)]; };
  SequenceWriter writer(id(0));
  auto rule = rules.begin();
  for (Index k = 1; k <= task.length; ++k) {
    while (rule != rules.end() && rule->follows < first + k) ++rule;
    const bool decided =
        rule != rules.end() && rule->follows == first + k && rule->decides >= first;
    writer.write(id(k), decided ? rule->decides - first : kNothing, decided);
  }
  return writer.take();
}

// Any stretch of what is trained on, or of what is held out.
Sequence draw_own(const SequenceTask& task, bool held, Random& random) {
  const Corpus& corpus = *task.corpus;
  const std::size_t begin = held && corpus.holds_out() ? corpus.held : 0;
  const std::size_t end = begin > 0 ? corpus.ids.size() : corpus.held;
  const Index room = static_cast<Index>(end - begin) - task.length;
  const auto at = corpus.ids.begin() + static_cast<std::ptrdiff_t>(begin) + below(random, room);
  const auto id = [&](Index k) { return kFirst + static_cast<std::int32_t>(at[k]); };
  SequenceWriter writer(id(0));
  for (Index k = 1; k <= task.length; ++k) writer.write(id(k));
  return writer.take();
}

Sequence draw(const SequenceTask& task, bool held, Random& random) {
  const Index size = task.shortest + below(random, task.longest - task.shortest + 1);
  switch (task.story) {
    case Story::induction: return draw_induction(task, task.length, random);
    case Story::addition: return draw_sum(task, task.digits, random);
    case Story::brackets: return draw_brackets(task, size, random);
    case Story::text: return draw_text(task, held, random);
    case Story::own: return draw_own(task, held, random);
    case Story::copy:
    case Story::reverse:
    case Story::sort: break;
  }
  return draw_letters(task, size, random);
}

}  // namespace

void check(const SequenceTask& task) {
  switch (task.story) {
    case Story::addition: return require("digits", task.digits, 1, kMostDigits);
    case Story::text: return require("length", task.length, 2, kMostLength);
    case Story::own:
      if (!task.corpus) refuse("text", "one of one's own", "none");
      return require("length", task.length, 2, std::min(kMostLength, task.corpus->longest()));
    case Story::induction:
      require("symbols", task.symbols, 3, kMostSymbols);
      require("length", task.length, 2, kMostLength);
      require("longest", task.longest, 1, task.symbols);
      break;
    case Story::brackets:
      require("depth", task.depth, 1, kMostLength);
      require("longest", task.longest, 1, kMostLength);
      break;
    case Story::copy:
    case Story::reverse:
    case Story::sort:
      require("symbols", task.symbols, 1, kMostSymbols);
      require("longest", task.longest, 1, task.repeats ? kMostLength : task.symbols);
      break;
  }
  require("shortest", task.shortest, 1, task.longest);
}

std::vector<std::string> tokens(const SequenceTask& task) {
  // A name that no text has, for what is no token of the text.
  std::vector<std::string> all{"", flows(task.story) ? "<end>" : ".",
                               flows(task.story)               ? "<asks>"
                               : task.story == Story::addition ? "="
                                                               : ">"};
  if (task.story == Story::addition) {
    for (char digit = '0'; digit <= '9'; ++digit) all.emplace_back(1, digit);
    all.emplace_back("+");
  } else if (task.story == Story::text) {
    const std::vector<std::string> characters = story_characters(task.language);
    all.insert(all.end(), characters.begin(), characters.end());
  } else if (task.story == Story::own) {
    all.insert(all.end(), task.corpus->tokens.begin(), task.corpus->tokens.end());
  } else if (task.story == Story::brackets) {
    for (const char* bracket : {"(", ")", "[", "]"}) all.emplace_back(bracket);
  } else {
    for (Index k = 0; k < task.symbols; ++k)
      all.emplace_back(1, kSymbols[static_cast<std::size_t>(k)]);
  }
  return all;
}

std::int32_t first_used(const SequenceTask& task) { return flows(task.story) ? kFirst : kStart; }

Index longest_sequence(const SequenceTask& task) {
  switch (task.story) {
    case Story::induction:
    case Story::text:
    case Story::own: return task.length;
    case Story::addition: return 3 * task.digits + 4;
    case Story::brackets: return 2 * task.longest + 1;
    case Story::copy:
    case Story::reverse:
    case Story::sort: break;
  }
  return 2 * task.longest + 2;
}

bool held_out(const SequenceTask& task, const Sequence& sequence) {
  if (flows(task.story)) return false;
  // What is told apart: the tokens that could not be known, and of brackets all.
  std::string given;
  const std::size_t size = sequence.ids.size();
  for (std::size_t t = 0; t < size; ++t) {
    const bool known = t > 0 && sequence.evaluated[t - 1] != 0;
    if (!known || task.story == Story::brackets) given += static_cast<char>('0' + sequence.ids[t]);
  }
  constexpr std::size_t kFew = 4;  // a start, an end or a question, and two tokens
  if (given.size() <= kFew) return false;
  return hash64(given) % 10 == 0;
}

bool holds_out(const SequenceTask& task) {
  if (task.story != Story::own) return true;
  return task.corpus && (task.corpus->holds_out() || task.corpus->kept_apart);
}

std::vector<Sequence> draw_sequences(const SequenceTask& task, std::uint64_t seed, Index count,
                                     bool held) {
  check(task);
  Random random(seed);
  std::vector<Sequence> all;
  all.reserve(static_cast<std::size_t>(count));
  const bool wanted = held && !flows(task.story);
  for (Index k = 0; k < count; ++k) {
    all.push_back(draw_wanted(task, wanted, [&] { return draw(task, held, random); }));
  }
  return all;
}

std::vector<Sequence> draw_sequences_of_length(const SequenceTask& task, std::uint64_t seed,
                                               Index count, Index length) {
  SequenceTask asked = task;
  switch (task.story) {
    case Story::induction:
    case Story::text:
    case Story::own: asked.length = length; break;
    case Story::addition: asked.digits = length; break;
    default: asked.shortest = asked.longest = length;
  }
  return draw_sequences(asked, stream_seed(seed, static_cast<std::uint64_t>(length)), count, true);
}

std::vector<std::string> pieces_of(const SequenceTask& task, const std::string& text) {
  return task.corpus ? task.corpus->pieces(text) : split(text, Unit::characters);
}

Sequence sequence_of(const SequenceTask& task, const std::vector<std::int32_t>& typed) {
  Sequence out;
  const bool begins = task.story != Story::induction && !flows(task.story);
  if (begins) out.ids.push_back(kStart);
  out.ids.insert(out.ids.end(), typed.begin(), typed.end());
  out.next.assign(out.ids.size(), kNothing);
  for (std::size_t t = 0; t + 1 < out.ids.size(); ++t) out.next[t] = out.ids[t + 1];
  out.evaluated.assign(out.ids.size(), 0);
  out.source.assign(out.ids.size(), kNothing);
  return out;
}

Sequence sequence_of(const SequenceTask& task, const std::string& text) {
  const std::vector<std::string> names = tokens(task);
  std::vector<std::int32_t> typed;
  for (const std::string& token : pieces_of(task, text)) {
    const auto found = std::find(names.begin() + 1, names.end(), token);
    if (found == names.end()) {
      throw InputError(
          Message(N_("text: expected tokens that the model knows, got \"{}\""), printable(token)));
    }
    typed.push_back(static_cast<std::int32_t>(found - names.begin()));
  }
  return sequence_of(task, typed);
}

}  // namespace core::task
