// Models of one's own text: what they learn, what is held out, and their files.
#include <doctest/doctest.h>

#include <cmath>

#include "folder.h"
#include "gpt_training_rig.h"

namespace gpt_training_own_text_test {

using namespace gpt_training_rig;

TEST_CASE("a text of one's own is learned by heart, and a short one is said to hold nothing out") {
  Tried m = preset("own");
  const Model model = m.model();
  CHECK(model.learned.weights == lab::Weights::here);
  CHECK(model.score->loss < 0.3);
  const lab::Page own = m.page();
  CHECK(own.notes.size() == 1);
  // Nothing of it is held out, and nothing says so.
  for (const auto& figure : own.figures) {
    CAPTURE(figure.caption);
    CHECK(figure.caption.find("held-out") == std::string::npos);
    CHECK(figure.caption.find("never trained") == std::string::npos);
    CHECK(figure.caption.find("none of them trained on") == std::string::npos);
  }
  for (const lab::Readout& one : own.readouts) {
    CAPTURE(one.help);
    CHECK(one.label.find("eld") == std::string::npos);
    CHECK(one.help.find("never trained") == std::string::npos);
  }
  // What it writes is the text.
  const std::string written = text_of(model, model.samples->front());
  std::string known = kOwnText;
  for (std::size_t at; (at = known.find(' ')) != known.npos;) known.replace(at, 1, "␣");
  CHECK(known.find(written.substr(0, 30)) != std::string::npos);
  // Pasted, in any language, and shorter than a sequence: sequences are as long as there is text.
  m.set({{"corpus", "一二三四五六七八九十一二三四五六七八九十"}, {"steps", "12"}, {"step", "12"}});
  CHECK(m.model().learned.task().length == 19);
  m.set({{"corpus", "短"}});
  CHECK_THROWS_WITH_AS(m.page(), "corpus: expected at least 16 characters, got 1",
                       core::InputError);
  m.set({{"corpus_file", "/nowhere/otter.txt"}});
  CHECK_THROWS_WITH_AS(m.page(), doctest::Contains("otter.txt: expected a text"), core::InputError);
}

TEST_CASE("the same in byte pairs: a word is a token, and the text has two for five") {
  Tried m = preset("pairs");
  const Model model = m.model();
  const core::task::Corpus& corpus = *model.learned.task().corpus;
  CHECK(std::find(corpus.tokens.begin(), corpus.tokens.end(), " cat") != corpus.tokens.end());
  const lab::Page page = m.page();
  CHECK(readout(page, "text_tokens") == static_cast<double>(corpus.ids.size()));
  CHECK(readout(page, "text_characters") == static_cast<double>(std::string(kOwnText).size()));
  CHECK(std::abs(readout(page, "text_tokens") / readout(page, "text_characters") - 0.4) < 0.005);
  CHECK(model.score->loss < 0.3);
  m.set({{"text", "The cat 猫"}});
  CHECK(m.model().probe->unknown.empty());
  const lab::Labels names = Scene{m.p, model, m.words}.tokens();
  CHECK(std::any_of(names->begin(), names->end(), [](const auto& n) { return n.size() > 4; }));
}

TEST_CASE("a model of one's own text is saved and opened with its tokens and some of the text") {
  Tried m = made({{"task", "own"}, {"steps", "12"}, {"step", "12"}});
  const test::Folder folder;
  Tried opened = made({{"story_file", folder.write("own.safetensors", m.page().model())}});
  const Model model = opened.model();
  CHECK(model.learned.task().story == core::task::Story::own);
  CHECK(model.learned.model->tokens == m.model().learned.model->tokens);
  CHECK(*model.learned.values == *m.model().learned.values);
  CHECK(opened.page().notes.empty());
}

TEST_CASE("whether what a model of one's own text is measured on was held out is in its file") {
  const test::Folder folder;
  std::string longer;
  for (int k = 0; k < 20; ++k) longer += kOwnText;
  for (const bool held : {false, true}) {
    CAPTURE(held);
    Tried m = made(
        {{"task", "own"}, {"corpus", held ? longer : kOwnText}, {"steps", "12"}, {"step", "12"}});
    CHECK(core::task::holds_out(m.model().learned.task()) == held);
    const std::string path = folder.write("held.safetensors", m.page().model());
    auto inside = lab::find("gpt_inside").make();
    param::assign(inside->describe(), {{"story_file", path}});
    lab::Memo memo;
    const words::Words words;
    const lab::Page page = inside->compute({{}, words, memo, {}, 2});
    const auto& readouts = page.readouts;
    const auto right = std::find_if(readouts.begin(), readouts.end(),
                                    [](const auto& one) { return one.id == "accuracy"; });
    REQUIRE(right != readouts.end());
    CHECK((right->help.find("never trained on") != std::string::npos) == held);
    for (const auto& figure : page.figures) {
      if (!held) CHECK(figure.caption.find("never trained") == std::string::npos);
    }
  }
}

}  // namespace gpt_training_own_text_test
