#include "app/labs/shared/model/written.h"

#include <map>

namespace lab {
namespace {

using core::task::Vocabulary, core::task::PairModel;
using LearnedNumbers = std::shared_ptr<const std::vector<float>>;

constexpr Index kPairsALength = 32, kHeldPairs = 600, kCandidates = 10;

std::string shown(const std::string& symbol) { return symbol == " " ? "␣" : symbol; }

// What a reading is made of.
struct ReadingKey {
  std::shared_ptr<const PairModel> model;
  LearnedNumbers values;
  core::task::Pair pair;
  Writes writes = Writes::greedy;
  Index longest = 0;
  bool operator==(const ReadingKey&) const = default;
};

Reading read(const ReadingKey& key, const Run&) {
  const PairModel& model = *key.model;
  Reading reading;
  reading.pair = key.pair;
  reading.encoded = model.encoded(key.pair);
  const core::Unit unit = core::task::source_unit(model.task);
  const std::string source = model.task.kind == core::task::Kind::own
                                 ? key.pair.source
                                 : core::task::normalized(key.pair.source);
  reading.unknown = model.vocabulary.unknown(source, unit);
  if (reading.source_tokens() > key.longest) {
    words::refuse<core::InputError>(N_("your text: expected at most {} tokens, got {}"),
                                    key.longest - 1, reading.source_tokens() - 1);
  }
  reading.greedy = key.writes == Writes::greedy || key.pair.target.empty();
  if (reading.greedy) {
    reading.encoded.target = core::task::write(model, key.values->data(), reading.encoded.source,
                                               std::min(kMostWritten, key.longest) - 1);
  }
  reading.written =
      model.vocabulary.decode(reading.encoded.target, core::task::target_unit(model.task));
  reading.looked = core::task::look(model, key.values->data(), reading.encoded);
  return reading;
}

template <class Name>
Labels names(Index count, const Name& name) {
  std::vector<std::string> all;
  for (Index i = 0; i < count; ++i) all.push_back(name(i));
  return labels(std::move(all));
}

LengthScores score_lengths(const std::shared_ptr<const PairModel>& model,
                           const LearnedNumbers& values, const Run& run) {
  constexpr std::uint64_t kSeed = 4242;
  const core::task::PairTask& task = model->task;
  LengthScores scores;
  if (task.kind == core::task::Kind::own && !task.own) return scores;
  std::map<Index, std::vector<core::task::Encoded>> by_length;
  const auto add = [&](const core::task::Pair& pair) {
    core::task::Encoded encoded = model->encoded(pair);
    by_length[to_index(encoded.source.size()) - 1].push_back(std::move(encoded));
  };
  const bool letters =
      task.kind == core::task::Kind::reversal || task.kind == core::task::Kind::copy;
  if (letters) {
    scores.trained = {task.shortest, task.longest};
    for (Index length = 1; length <= 2 * task.longest; ++length) {
      for (const auto& pair :
           core::task::draw_pairs_of_length(task, kSeed, kPairsALength, length)) {
        add(pair);
      }
    }
  } else {
    for (const auto& pair : core::task::draw_pairs(task, kSeed, kHeldPairs, true)) add(pair);
  }
  for (const auto& [length, pairs] : by_length) {
    run.cancel.poll();
    const core::task::Score score = core::task::score(*model, values->data(), pairs, run.threads);
    scores.lengths.push_back(length);
    scores.pairs.push_back(score.pairs);
    scores.right.push_back(score.right);
  }
  return scores;
}

}  // namespace

std::int32_t Reading::token(Index step) const {
  const auto at = to_size(step);
  return at < encoded.target.size() ? encoded.target[at] : Vocabulary::kEnd;
}

std::int32_t Reading::likeliest(Index step) const {
  Index best = 0;
  looked.probabilities.row(step).maxCoeff(&best);
  return static_cast<std::int32_t>(best);
}

std::shared_ptr<const Reading> reading_of(const Learned& learned, const SourceKnobs& source,
                                          Writes writes, Index longest, const Context& context) {
  const ReadingKey key{learned.model, learned.values, asked_pair(learned.task(), source), writes,
                       longest};
  return context.stage(learned.name + " reading", read, key);
}

std::string token_name(const Learned& learned, std::int32_t id, const Words& w) {
  if (id == Vocabulary::kStart) return w("start");
  if (id == Vocabulary::kEnd) return w("end");
  if (id == Vocabulary::kUnknown) return "?";
  return shown(learned.model->vocabulary.symbol(id));
}

Labels source_names(const Learned& learned, const Reading& reading, const Words& w) {
  return names(reading.source_tokens(),
               [&](Index i) { return token_name(learned, reading.encoded.source[to_size(i)], w); });
}

Labels written_names(const Learned& learned, const Reading& reading, const Words& w) {
  return names(reading.steps(), [&](Index i) { return token_name(learned, reading.token(i), w); });
}

Labels given_names(const Learned& learned, const Reading& reading, const Words& w) {
  return names(reading.steps(), [&](Index i) {
    return token_name(learned, i == 0 ? Vocabulary::kStart : reading.token(i - 1), w);
  });
}

Figure text_figure(const Learned& learned, const Reading& reading,
                   const std::vector<float>& weights, Index step, std::string_view step_param,
                   const Words& w) {
  const Labels read = source_names(learned, reading, w), wrote = written_names(learned, reading, w);
  const Index columns = std::max(reading.source_tokens(), reading.steps());
  Plot plot{.id = "text"};
  plot.x = {.hi = to_double(std::max<Index>(columns, 12)), .visible = false};
  plot.y = {.lo = 0, .hi = 2.6, .visible = false};
  figure::Boxes boxes;
  for (std::size_t i = 0; i < read->size(); ++i) {
    const double x = to_double(i);
    boxes.boxes.push_back(
        {.x0 = x + 0.04,
         .y0 = 1.5,
         .x1 = x + 0.96,
         .y1 = 2.5,
         .text = (*read)[i],
         .fill = Color(Role::key, weights.empty() ? 0.08F : 0.08F + 0.8F * weights[i]),
         .tooltip = weights.empty() ? (*read)[i]
                                    : w.format("\"{}\": weight {:.3f}", (*read)[i], weights[i])});
  }
  for (std::size_t i = 0; i < wrote->size(); ++i) {
    const double x = to_double(i);
    const auto at = to_index(i);
    const double p = reading.probability(at, reading.token(at));
    boxes.boxes.push_back({.x0 = x + 0.04,
                           .y0 = 0.1,
                           .x1 = x + 0.96,
                           .y1 = 1.1,
                           .text = (*wrote)[i],
                           .fill = Color(Role::query, 0.15F),
                           .marked = at == step,
                           .pick = sets(std::string(step_param), at),
                           .tooltip = w.format("\"{}\": probability {:.3f}", (*wrote)[i], p)});
  }
  plot.add(std::move(boxes));
  Figure figure = new_figure("text", w("The text read and the text written"), {.height = 150});
  if (reading.known()) {
    figure.note = reading.right() ? w("right") : w.format("correct: {}", reading.pair.target);
  }
  figure.caption = w.format(
      "Above: \"{}\", where a token's colour is stronger the more the marked step attends to it; "
      "below: the text written, \"{}\", token by token.",
      reading.pair.source, reading.written);
  return with(std::move(figure), std::move(plot));
}

Figure next_figure(const Learned& learned, const Reading& reading, Index step, const Words& w) {
  const auto ids =
      each(largest_first(
               reading.looked.probabilities.cols(),
               [&](Index id) { return reading.probability(step, static_cast<std::int32_t>(id)); },
               kCandidates),
           [](Index id) { return static_cast<std::int32_t>(id); });
  Bars bars{.color = Role::query};
  for (std::size_t k = 0; k < ids.size(); ++k) {
    bars.values.push_back(reading.probability(step, ids[k]));
    if (ids[k] == reading.token(step)) bars.marked = to_int(k);
  }
  Plot plot{.id = "next"};
  plot.x = cell_axis(w("the next token"), to_index(ids.size()));
  plot.x.labels =
      names(to_index(ids.size()), [&](Index k) { return token_name(learned, ids[to_size(k)], w); });
  plot.y = {.label = w("probability"), .hi = 1.08, .end = 1};
  plot.add(std::move(bars));
  Figure figure = new_figure("next", w.format("What step {} could write", step + 1),
                             {.span = 5, .height = 400});
  figure.caption = w.format(
      "The {} likeliest tokens of step {} and their probabilities; the highlighted one was "
      "written.",
      ids.size(), step + 1);
  return with(std::move(figure), std::move(plot));
}

LengthScores length_scores(const Learned& learned, const Context& context) {
  return *context.stage(learned.name + " lengths", score_lengths, learned.model, learned.values);
}

Figure length_figure(const std::vector<NamedScores>& models, const Words& w) {
  Plot plot{.id = "lengths",
            .x = {.label = w("tokens read")},
            .y = {.label = w("texts right"), .hi = 1.04}};
  Extent lengths;
  bool letters = false;
  for (const NamedScores& model : models) {
    Line line{.color = model.color, .width = 2, .label = model.name};
    for (std::size_t k = 0; k < model.scores->lengths.size(); ++k) {
      line.add(model.scores->lengths[k],
               to_double(model.scores->right[k]) / to_double(model.scores->pairs[k]));
      lengths.add(line.x.back());
    }
    plot.add(Points{line.x, line.y, model.color});
    plot.add(std::move(line));
    if (model.scores->trained && !letters) {
      letters = true;
      plot.add(Rule{true, to_double(model.scores->trained->second) + 0.5, Role::dim, true,
                    w("longest trained")});
    }
  }
  fit(plot.x, lengths, 0.03);
  Figure figure = new_figure("lengths", w("Accuracy by length"), {.span = 5, .height = 300});
  figure.caption =
      letters ? w.format(
                    "The share of {} texts of each length, none of them trained on, written "
                    "without a mistake; lengths beyond the dashed line were not trained on.",
                    kPairsALength)
              : w.format(
                    "The share of {} held-out texts written without a mistake, by their number of "
                    "tokens.",
                    kHeldPairs);
  return with(std::move(figure), std::move(plot));
}

void add_reading_readouts(const Learned& learned, const Reading& reading, Index step,
                          const Words& w, std::vector<Readout>& list) {
  const double p = reading.probability(step, reading.token(step));
  list.push_back({"probability", w("Probability of the step"), p, fixed(p, 4),
                  w.format("For \"{}\", the token written at step {}",
                           token_name(learned, reading.token(step), w), step + 1)});
  double all = 1;
  for (Index i = 0; i < reading.steps(); ++i) all *= reading.probability(i, reading.token(i));
  list.push_back({"together", w("Probability of the text"), all, significant(all, 4),
                  w("The product over all steps, including the end")});
  if (!reading.known()) return;
  list.push_back({"right", w("Written correctly"), reading.right() ? 1.0 : 0.0,
                  reading.right() ? w("yes") : w("no"), w("Whether the written text is correct")});
}

void add_reading_notes(const Reading& reading, const Words& w, std::vector<std::string>& notes) {
  if (!reading.unknown.empty()) {
    std::string all;
    for (const std::string& token : reading.unknown) {
      all += (all.empty() ? "\"" : ", \"") + shown(token) + "\"";
    }
    notes.push_back(w.format("Never seen in this task, read as unknown: {}.", all));
  }
}

}  // namespace lab
