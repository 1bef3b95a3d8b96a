// Documents read by a hierarchical attention network: what ships is right and finds what tells, and
// every claim of the presets.
#include <doctest/doctest.h>

#include <cmath>

#include "app/figure/picking.h"
#include "app/labs/documents/page.h"
#include "assets/assets.h"
#include "core/random.h"
#include "core/rank_correlation.h"
#include "trying.h"

namespace documents_test {

using namespace lab::documents;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;

namespace {

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("documents", id); }

double log_odds_of(const core::VectorD& logits, Index label) {
  return core::task::log_odds(logits, label);
}

}  // namespace

TEST_CASE(
    "every reader of documents that ships is right, finds what tells, and is the file tested") {
  const struct {
    param::Values task;
    std::uint64_t hash;
  } shipped[] = {
      {{{"task", "opinions"}}, 14482665429632583739u},
      {{{"language", "chinese"}}, 2312490452943767966u},
      {{{"task", "topics"}}, 3116925284579910470u},
      {{{"task", "topics"}, {"language", "chinese"}}, 1539378981633148551u},
  };
  for (const auto& one : shipped) {
    Made m = made(one.task);
    const std::string name = asset_name(m.p.asked(), false);
    CAPTURE(name);
    const Model model = m.model();
    REQUIRE(model.trained.weights == lab::Weights::shipped);
    CHECK(model.trained.model->task == m.p.asked());
    core::task::DocumentForm form = m.p.form();
    form.words = model.trained.model->form.words;
    form.classes = model.trained.model->form.classes;
    CHECK(model.trained.model->form == form);
    CHECK(model.trained.model->vocabulary.symbols() == core::task::words_of(m.p.asked()));
    CHECK(model.score.documents == kScoredDocuments);
    CHECK(model.score.accuracy() >= 0.99);
    REQUIRE(model.focus);
    CHECK(model.focus->sentence >= 0.9);
    CHECK(model.focus->word >= 0.7);
    CHECK(model.focus->word_chance < 0.3);
    CHECK(core::hash64(assets::find(name)) == one.hash);
  }
}

TEST_CASE("average pooling ships beside each of them: as many right, and its words tell as well") {
  const struct {
    param::Values task;
    std::uint64_t hash;
  } shipped[] = {
      {{{"task", "opinions"}}, 15021160468337023487u},
      {{{"language", "chinese"}}, 818106292490367319u},
      {{{"task", "topics"}}, 17319592022493988122u},
      {{{"task", "topics"}, {"language", "chinese"}}, 13415423010411802627u},
  };
  for (const auto& one : shipped) {
    Made m = made(one.task);
    const std::string name = asset_name(m.p.asked(), true);
    CAPTURE(name);
    const Model model = m.model();
    REQUIRE(model.mean);
    const Seen& mean = *model.mean;
    CHECK(mean.trained.weights == lab::Weights::shipped);
    CHECK(mean.trained.model->task == m.p.asked());
    CHECK(mean.trained.model->form.of_words.mean);
    CHECK(mean.trained.model->form.of_sentences.mean);
    CHECK(mean.score.documents == kScoredDocuments);
    CHECK(mean.score.accuracy() >= 0.99);
    REQUIRE(mean.focus);
    // Its weights find nothing; leaving words out finds what tells all the same.
    CHECK(mean.focus->word == doctest::Approx(mean.focus->word_chance));
    CHECK(mean.focus->left_out >= 0.7);
    CHECK(core::hash64(assets::find(name)) == one.hash);
    const lab::Page page = m.page();
    CHECK(readout(page, "mean_accuracy") == mean.score.accuracy());
    CHECK(readout(page, "mean_left_out") == mean.focus->left_out);
    // Every word of the document is a point: with attention to the right, average pooling upwards.
    const auto points = marks_of<figure::Points>(plot_of(page, "mean"));
    REQUIRE(points.size() == 2);
    CHECK(points[0].x == model.focus->worth);
    CHECK(points[0].y == mean.focus->worth);
    std::vector<double> attention, pooled;
    for (const auto& sentence : model.reading->worth) {
      attention.insert(attention.end(), sentence.begin(), sentence.end());
    }
    for (const auto& sentence : mean.reading->worth) {
      pooled.insert(pooled.end(), sentence.begin(), sentence.end());
    }
    CHECK(points[1].x == attention);
    CHECK(points[1].y == pooled);
    // Without a word the point is gone, in both.
    m.set({{"deleted", "1.1"}});
    CHECK(marks_of<figure::Points>(plot_of(m.page(), "mean"))[1].x.size() == attention.size() - 1);
  }
  Made off = made({{"beside", "false"}});
  CHECK(!off.model().mean);
  CHECK(!has_figure(off.page(), "mean"));
}

TEST_CASE("average pooling is trained beside attention, step by step") {
  Made m = made({{"weights", "here"}, {"steps", "20"}, {"step", "10"}});
  const Model model = m.model();
  REQUIRE(model.mean);
  CHECK(model.mean->trained.weights == lab::Weights::here);
  CHECK(model.mean->trained.step == 10);
  CHECK(model.mean->trained.history.size() == 21);
  CHECK(model.mean->trained.model->form.of_words.mean);
  CHECK(!model.trained.model->form.of_words.mean);
  // Alone it is the same training.
  m.set({{"mean", "true"}});
  CHECK(!m.model().mean);
  CHECK(*m.model().trained.values == *model.mean->trained.values);
}

TEST_CASE("weights of both levels sum to one, and what is left out weighs nothing") {
  for (const char* deleted : {"", "1.1 2.2"}) {
    Made m = made({{"deleted", deleted}});
    const Model model = m.model();
    const Reading& reading = *model.reading;
    double all = 0, sentences = 0;
    for (Index s = 0; s < reading.sentences(); ++s) {
      double words = 0;
      for (Index t = 0; t < reading.count(s); ++t) {
        words += reading.word_weight({s, t});
        all += reading.weight({s, t});
      }
      CHECK(words == doctest::Approx(1).epsilon(1e-5));
      sentences += reading.sentence_weight(s);
    }
    CHECK(sentences == doctest::Approx(1).epsilon(1e-5));
    CHECK(all == doctest::Approx(1).epsilon(1e-5));
    if (*deleted) CHECK(reading.word_weight({1, 1}) == 0);
  }
}

TEST_CASE("few words of a review change its outcome by much") {
  const Model model = preset("reviews").model();
  std::vector<double> worth;
  for (const auto& sentence : model.reading->worth) {
    for (const double one : sentence) worth.push_back(std::abs(one));
  }
  const double largest = *std::max_element(worth.begin(), worth.end());
  const auto strong =
      std::count_if(worth.begin(), worth.end(), [&](double one) { return one > largest / 2; });
  CHECK(strong * 5 <= static_cast<std::ptrdiff_t>(worth.size()));
}

TEST_CASE("\"not\" turns a review around, and is not what the weight lies on") {
  Made m = preset("not_good");
  const Model with = m.model();
  CHECK(with.reading->label() == 1);
  CHECK(with.reading->word({1, 3}) == "not");
  CHECK(with.reading->word_weight({1, 3}) < with.reading->word_weight({1, 4}));
  m.set({{"deleted", "2.4"}});
  const Model without = m.model();
  CHECK(without.reading->label() == 0);
  // It was read as against: of that the log-odds fall.
  CHECK(readout(m.page(), "fall") > 4);
  CHECK(preset("chinese").model().reading->label() == 1);
}

TEST_CASE("without the telling word the log-odds fall, and the weights still sum to one") {
  Made m = preset("left_out");
  const Reading left = *m.model().reading;
  m.set({{"deleted", ""}});
  const Reading whole = *m.model().reading;
  CHECK(whole.label() == 0);
  CHECK(whole.word({1, 3}) == "delicious");
  CHECK(core::task::log_odds(left.looked.logits, 0) <
        core::task::log_odds(whole.looked.logits, 0) - 1);
  CHECK(core::task::log_odds(left.whole.logits, 0) ==
        doctest::Approx(core::task::log_odds(whole.looked.logits, 0)));
}

TEST_CASE("the fall is that of what the whole text is read as, whatever is left of it") {
  Made m = preset("left_out");
  const lab::Page page = m.page();
  const Reading& reading = *m.model().reading;
  CHECK(reading.label() == 1);
  CHECK(readout(page, "fall") == doctest::Approx(core::task::log_odds(reading.whole.logits, 0) -
                                                 core::task::log_odds(reading.looked.logits, 0)));
  CHECK(readout(page, "fall") > 5);
}

TEST_CASE("the first page is a success, in every task, and another example says where it fails") {
  for (const param::Values& task : {param::Values{},
                                    {{"language", "chinese"}},
                                    {{"task", "topics"}},
                                    {{"task", "topics"}, {"language", "chinese"}}}) {
    Made m = made(task);
    const Model model = m.model();
    REQUIRE(model.picked);
    CHECK(model.reading->label() == model.reading->document.label);
    const double worth = model.reading->worth_of(*model.reading->in_kept(*model.picked));
    for (const auto& sentence : model.reading->worth) {
      for (const double one : sentence) CHECK(std::abs(one) <= worth);
    }
  }
  const Model beside = preset("off_the_word").model();
  REQUIRE(beside.picked);
  CHECK(beside.reading->word(*beside.picked) == "bread");
  CHECK(beside.reading->label() == 0);
  CHECK(beside.reading->worth_of(*beside.reading->in_kept(*beside.picked)) < -0.5);
}

TEST_CASE("weights go with the size of a change more than with its sign, and with neither much") {
  Made m;
  const lab::Page page = m.page();
  const Model model = m.model();
  std::vector<double> sizes;
  for (const double one : model.focus->worth) sizes.push_back(std::abs(one));
  CHECK(readout(page, "all_size_correlation") ==
        *core::rank_correlation(model.focus->weights, sizes));
  CHECK(readout(page, "all_size_correlation") == doctest::Approx(0.5).epsilon(0.01));
  CHECK(readout(page, "all_correlation") == doctest::Approx(0.315).epsilon(0.01));
  // The first words of a page that was counted before: 0.681 with the size, 0.119 with the fall.
  const lab::Page first = preset("off_the_word").page();
  CHECK(readout(first, "size_correlation") == doctest::Approx(0.681).epsilon(0.001));
  CHECK(readout(first, "correlation") == doctest::Approx(0.119).epsilon(0.005));
}

TEST_CASE("for and against: no training document has both, and one wins") {
  const Model model = preset("torn").model();
  CHECK(model.reading->unknown.empty());
  CHECK(model.reading->sentence_weight(0) + model.reading->sentence_weight(2) >
        model.reading->sentence_weight(1));
}

TEST_CASE("trained here: from nothing to right, the sentences first") {
  Made m = preset("watch");
  const Model end = m.model();
  CHECK(end.score.accuracy() > 0.95);
  REQUIRE(end.focus);
  CHECK(end.focus->sentence > end.focus->sentence_chance + 0.3);
  CHECK(end.trained.history.size() == 121);
  m.set({{"step", "0"}});
  const Model start = m.model();
  CHECK(start.trained.step == 0);
  CHECK(start.score.accuracy() < 0.5);
}

TEST_CASE("average pooling reads nearly as many documents right, and its weights find nothing") {
  Made m = preset("mean");
  const Model model = m.model();
  CHECK(model.score.accuracy() > 0.97);
  CHECK(model.focus->word == doctest::Approx(model.focus->word_chance));
  CHECK(model.focus->sentence == doctest::Approx(model.focus->sentence_chance));
  CHECK(says(m.page(), "1 / "));
}

TEST_CASE("words alone: 19 to 33 of 136 denied opinions go wrong, of others at most one") {
  Made m = preset("no_context");
  for (int seed = 0; seed < 10; ++seed) {
    m.set({{"seed", std::to_string(seed)}});
    const Model model = m.model();
    const auto& trained = *model.trained.model;
    Index denied = 0, denied_wrong = 0, wrong = 0;
    for (const Document& one : core::task::draw_documents(trained.task, 77, 500, true)) {
      Index label = 0;
      core::task::look(trained, model.trained.values->data(), trained.encoded(one))
          .logits.maxCoeff(&label);
      denied += one.denied;
      (one.denied ? denied_wrong : wrong) += label != one.label;
    }
    CAPTURE(seed);
    CHECK(denied == 136);
    CHECK(denied_wrong >= 19);
    CHECK(denied_wrong <= 33);
    CHECK(wrong <= 1);
  }
}

TEST_CASE("words alone cannot see what is denied") {
  Made m = preset("no_context");
  const Model alone = m.model();
  CHECK(alone.score.accuracy() < 0.97);
  CHECK(alone.score.accuracy() > 0.8);
  CHECK(made({}).model().score.accuracy() > alone.score.accuracy() + 0.02);
  // The same words in another order are the same to it.
  m.set({{"text", "The soup was not good."}});
  const double odds = log_odds_of(m.model().reading->looked.logits, 0);
  m.set({{"text", "Good soup not was the."}});
  CHECK(log_odds_of(m.model().reading->looked.logits, 0) == doctest::Approx(odds).epsilon(1e-3));
}

TEST_CASE("as published: nearly as right, and the weight less often on the word") {
  const Model published = preset("published").model(), shipped = made({}).model();
  CHECK(published.score.accuracy() > 0.97);
  CHECK(published.focus->word < shipped.focus->word - 0.1);
}

TEST_CASE("the scatter's points are the words, and the correlation that of its numbers") {
  Made m;
  const Model model = m.model();
  const lab::Page page = m.page();
  const auto points = marks_of<figure::Points>(plot_of(page, "worth"));
  REQUIRE(points.size() == 2);
  CHECK(points[0].x == model.focus->weights);
  CHECK(static_cast<Index>(points[1].x.size()) == model.reading->kept.words());
  CHECK(readout(page, "correlation") <= 1);
  CHECK(readout(page, "all_correlation") < 0.9);
}

TEST_CASE("places that are none, unknown words, and a document without words") {
  Made m = made({{"text", "The otter was good."}, {"deleted", "1.9 x"}});
  const Model model = m.model();
  CHECK(model.reading->unknown == std::vector<std::string>{"otter"});
  CHECK(model.reading->out.empty());
  const lab::Page page = m.page();
  CHECK(page.notes.size() == 1);
  const param::Found& positions = page.found.at("deleted");
  CHECK(positions.names->size() == 4);
  CHECK(positions.names->back().id == "1.4");
  m.set({{"deleted", "1.1 1.2 1.3 1.4"}});
  CHECK_FALSE(m.model().picked);
  m.set({{"text", "..."}, {"deleted", ""}});
  CHECK_FALSE(m.model().picked);
  for (const char* explained : {"word", "sentence", "outcome"}) {
    m.set({{"explain", explained}});
    CHECK_FALSE(m.page().explanation.lines.empty());
  }
}

TEST_CASE("every kind of state and key trains, and every weight unfolds") {
  for (const char* states : {"gru", "window", "inputs"}) {
    for (const char* keys : {"states", "inputs"}) {
      Made m = made({{"weights", "here"},
                     {"steps", "12"},
                     {"step", "12"},
                     {"word_states", states},
                     {"sentence_states", states},
                     {"word_keys", keys},
                     {"sentence_keys", keys}});
      CHECK(m.model().trained.history.size() == 13);
      for (const char* explained : {"word", "sentence", "outcome"}) {
        m.set({{"explain", explained}, {"at_sentence", "2"}, {"at_word", "3"}});
        CHECK(m.page().explanation.lines.size() > 5);
      }
    }
  }
}

TEST_CASE("sentences and words count from 1: in the knobs, on the axes, and where one clicks") {
  Made m = made({{"at_sentence", "2"}, {"at_word", "3"}});
  for (const char* id : {"words", "states_words"}) {
    CAPTURE(id);
    const figure::Plot plot = plot_of(m.page(), id);
    const bool words = std::string(id) == "words";
    // The third word of the second sentence.
    const figure::Pick pick =
        words ? figure::pick_in(plot, 3.5, 2.5) : figure::pick_in(plot, 0.5, 2.5);
    m.set({pick.exact.begin(), pick.exact.end()});
    for (const auto& [knob, value] : pick.near) m.set({{knob, fmt::format("{}", value)}});
    CHECK(*m.model().picked == WordPosition{1, 2});
  }
  const auto bars = mark_of<figure::Bars>(plot_of(m.page(), "sentences"));
  CHECK(figure::first_cell(plot_of(m.page(), "sentences").x) == 1);
  m.set({bars.picks[1].begin(), bars.picks[1].end()});
  CHECK(m.model().picked->sentence == 1);
}

TEST_CASE("a picked word is the one asked for, else the strongest") {
  Made m = made({{"at_sentence", "2"}, {"at_word", "3"}});
  CHECK(*m.model().picked == WordPosition{1, 2});
  m.set({{"at_word", "0"}});
  CHECK(m.model().picked->sentence == 1);
  m.set({{"at_sentence", "0"}});
  const Model model = m.model();
  for (Index s = 0; s < model.reading->sentences(); ++s) {
    for (Index t = 0; t < model.reading->count(s); ++t) {
      CHECK(model.reading->weight({s, t}) <= model.reading->weight(*model.picked));
    }
  }
}

TEST_CASE("what a word is worth is what leaving it out takes away, with others out already") {
  Made m = made({{"deleted", "1.1 3.2"}});
  const Model model = m.model();
  const Reading& reading = *model.reading;
  const Index label = reading.label();
  const double odds = log_odds_of(reading.looked.logits, label);
  REQUIRE(reading.worth.size() == reading.kept.sentences.size());
  for (std::size_t s = 0; s < reading.worth.size(); ++s) {
    CHECK(reading.worth[s].size() == reading.kept.sentences[s].size());
  }
  for (const WordPosition position : {WordPosition{0, 1}, WordPosition{2, 3}, WordPosition{4, 3}}) {
    Made more = made({{"deleted", "1.1 3.2 " + position_text(position)}});
    const double left = log_odds_of(more.model().reading->looked.logits, label);
    CHECK(reading.worth_of(*reading.in_kept(position)) ==
          doctest::Approx(odds - left).epsilon(1e-4));
  }
}

TEST_CASE("a point of the scatters leads to its word") {
  for (const char* id : {"worth", "mean"}) {
    Made m = made({{"deleted", "2.1"}});
    const Model before = m.model();
    const auto points = marks_of<figure::Points>(plot_of(m.page(), id)).back();
    REQUIRE(points.picks.size() == points.x.size());
    for (const std::size_t k : {std::size_t{0}, std::size_t{7}, points.x.size() - 1}) {
      m.set({points.picks[k].begin(), points.picks[k].end()});
      const Model model = m.model();
      REQUIRE(model.picked);
      const Reading& reading = *model.reading;
      const WordPosition at = *reading.in_kept(*model.picked);
      const bool weighs = std::string(id) == "worth";
      CHECK(points.x[k] == (weighs ? reading.weight(*model.picked) : reading.worth_of(at)));
      CHECK(points.y[k] == (weighs ? reading : *model.mean->reading).worth_of(at));
    }
  }
}

TEST_CASE("a word's score is that of its own state, in every sentence") {
  Made m = made({{"explain", "word"}});
  for (const char* sentence : {"1", "4", "6"}) {
    m.set({{"at_sentence", sentence}, {"at_word", "3"}});
    const Model model = m.model();
    const WordPosition at = *model.reading->in_kept(*model.picked);
    const double weight = model.reading->word_weight(*model.picked);
    const auto all = lines(m.page());
    CHECK(std::atof(all[0].c_str() + all[0].rfind(' ')) == doctest::Approx(weight).epsilon(0.01));
    const double score = double(model.reading->looked.words.scores(at.sentence, at.word));
    const bool found = std::any_of(all.begin(), all.end(), [&](const std::string& line) {
      return line.rfind("≈ ", 0) == 0 &&
             std::abs(std::atof(line.c_str() + line.rfind(' ')) - score) < 2e-4;
    });
    CHECK(found);
  }
}

TEST_CASE("accuracy is that on documents never trained on") {
  const Model model = preset("no_context").model();
  const auto of = [&](bool held) {
    std::vector<core::task::EncodedDocument> all;
    for (const Document& one :
         core::task::draw_documents(model.trained.model->task, 77, kScoredDocuments, held)) {
      all.push_back(model.trained.model->encoded(one));
    }
    return core::task::score(*model.trained.model, model.trained.numbers(), all, 1);
  };
  CHECK(model.score.loss == of(true).loss);
  CHECK(model.score.loss != of(false).loss);
}

TEST_CASE("what was counted from 0 once still means the same place") {
  const auto now = [](const param::Values& values) {
    Parameters p;
    param::assign(
        [&] {
          param::List list;
          describe(p, list);
          return list;
        },
        values);
    return std::pair{p.sentence, p.word};
  };
  CHECK(now({{"sentence", "1"}, {"word", "2"}}) == std::pair{2, 3});
  CHECK(now({{"sentence", "-1"}, {"word", "-1"}}) == std::pair{0, 0});
  CHECK(now({{"at_sentence", "1"}, {"at_word", "2"}}) == std::pair{1, 2});
}

}  // namespace documents_test
