#include "app/labs/shared/model/pair_task.h"

#include <filesystem>

#include "app/labs/shared/model/file_stamp.h"
#include "core/task/pair/own_pairs.h"

namespace lab {
namespace {

using core::task::PairTask;

// What a stage is made of: the knobs, and of a file what tells that it was written anew.
struct Origin {
  PairKnobs knobs;
  FileStamp file = {};
  bool operator==(const Origin&) const = default;
};

Origin origin_of(const PairKnobs& knobs) {
  Origin origin{knobs};
  if (!knobs.own())
    return {{.task = knobs.task,
             .language = knobs.language,
             .letters = knobs.letters,
             .shortest = knobs.shortest,
             .longest = knobs.longest}};
  origin.file = stamp_of(knobs.pairs_file);
  return origin;
}

PairTask make_task(const Origin& origin, const Run& run) {
  const PairKnobs& k = origin.knobs;
  // Only what the task looks at: the other knobs change nothing.
  PairTask task{.kind = k.task};
  if (k.speaks()) task.language = k.language;
  if (k.writes_letters()) {
    task.letters = k.letters;
    task.shortest = k.shortest;
    task.longest = std::max(k.shortest, k.longest);
  }
  if (!k.own()) return task;
  task.own_unit = k.unit;
  task.own = std::make_shared<const std::vector<core::task::Pair>>(
      k.pairs_file.empty()
          ? core::task::parse_pairs(k.pairs)
          : core::task::read_pairs(std::filesystem::path(k.pairs_file), run.cancel));
  return task;
}

}  // namespace

void describe_task(PairKnobs& knobs, bool fixed, param::List& list) {
  list.group(N_("Task"));
  list.choice(knobs.task, "task", N_("Task"),
              N_("What is read and what is written: dates in many spellings and their ISO form, "
                 "number words and digits, letters and their reversal or copy, or your own pairs"),
              {{"dates", N_("dates")},
               {"numbers", N_("numbers")},
               {"reversal", N_("reversal")},
               {"copy", N_("copy")},
               {"own", N_("own pairs")}});
  list.choice(knobs.language, "language", N_("Language"), N_("The language of dates and numbers"),
              {{"english", N_("English")}, {"chinese", N_("Chinese")}}, {.active = knobs.speaks()});
  const bool letters = knobs.writes_letters() && !fixed;
  list.integer(knobs.letters, "letters", N_("Letters"), N_("How many different letters there are"),
               {.min = 2, .max = 26, .active = letters});
  list.integer(knobs.shortest, "shortest", N_("Shortest"),
               N_("The shortest text in training, in letters"),
               {.min = 1, .max = 20, .active = letters});
  list.integer(knobs.longest, "longest", N_("Longest"),
               N_("The longest text in training, in letters"),
               {.min = to_double(knobs.shortest), .max = 20, .active = letters});
  list.text(knobs.pairs, "pairs", N_("Pairs"),
            N_("Two texts joined by =, pairs separated by semicolons: le chat = the cat; le chien "
               "= the dog"),
            kMostTypedPairs, {.active = knobs.own() && knobs.pairs_file.empty()});
  list.file(knobs.pairs_file, "pairs_file", N_("Pairs from a file"),
            N_("One pair per line, the two texts separated by a tab, a semicolon or a comma; at "
               "most 20,000. Drop the file on the window"),
            ".txt .csv .tsv", {.active = knobs.own()});
  list.choice(knobs.unit, "unit", N_("Tokens"), N_("What a token of your texts is"),
              {{"words", N_("words")}, {"characters", N_("characters")}, {"bytes", N_("bytes")}},
              {.active = knobs.own()});
}

std::shared_ptr<const PairTask> pair_task(const PairKnobs& knobs, const Context& context) {
  return context.stage("task", make_task, origin_of(knobs));
}

void describe_source(SourceKnobs& knobs, param::List& list) {
  list.group(N_("Look at"));
  list.integer(knobs.example, "example", N_("Example"),
               N_("A pair never trained on, by its number"),
               {.min = 0, .max = kExamples - 1.0, .active = knobs.source.empty()});
  list.text(knobs.source, "source", N_("Your text"),
            N_("The text to read; empty: the example. Any text in the task's own letters"),
            kMostSourceBytes);
}

core::task::Pair asked_pair(const PairTask& task, const SourceKnobs& knobs) {
  constexpr std::uint64_t kSeed = 2026;
  if (!knobs.source.empty()) return {knobs.source, core::task::solution(task, knobs.source)};
  if (task.kind == core::task::Kind::own && !task.own) return {};
  return core::task::draw_pairs(task, kSeed, knobs.example + 1, true).back();
}

}  // namespace lab
