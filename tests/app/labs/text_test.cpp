// What labs say of themselves is read from texts: what is in every one, and what is refused.
#include "app/labs/shared/text/text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>

#include "app/labs/labs.h"
#include "app/labs/shared/text/picture.h"

namespace text_test {

using lab::text::Kind, lab::text::Line, lab::text::Place;

lab::Lab read(std::string_view text) {
  static std::deque<std::string> kept;  // a lab points into its text
  return lab::from_places(lab::text::read(kept.emplace_back(text), "a.md"), "a.md", {});
}

std::string refusal(std::string_view text) {
  try {
    read(text);
  } catch (const core::InputError& fault) {
    return fault.what();
  }
  return "nothing";
}

const std::string kHead = "# a\ntitle: A\nquestion: Why?\nchapter: gpt\n";

TEST_CASE("A lab is what its text says") {
  const lab::Lab made =
      read(kHead +
           "chinese: n=3\npicture: p, f | plots=a, b | columns=2 | reduced=0.5\n\n## about\n> "
           "One.\n\n> Two {x}.\nis: advice\n> Three.\nis: history\n"
           "\n## sources\n- vaswani_2017: section 3\n- Me 2020 | page 1 | https://x.org\n"
           "\n## preset:p\ntitle: P\nset: x=1 | y=a b\n> It is 1.\ncheck: knob:x = 1\n"
           "\n## preset:q\ntitle: Q\n");
  CHECK(made.id == "a");
  CHECK(made.title == "A");
  CHECK(made.question == "Why?");
  CHECK(made.chapter == lab::Chapter::gpt);
  CHECK(made.chinese == "n=3");
  CHECK(made.about == "One. Two {x}. Three.");
  REQUIRE(made.sources.size() == 2);
  CHECK(made.sources[0].citation == "Vaswani et al. 2017, Attention Is All You Need");
  CHECK(made.sources[0].where == "section 3");
  CHECK(made.sources[0].url == "https://arxiv.org/abs/1706.03762");
  CHECK(made.sources[1].citation == "Me 2020");
  CHECK(made.sources[1].url == "https://x.org");
  REQUIRE(made.presets.size() == 2);
  CHECK(made.presets[0].title == "P");
  CHECK(made.presets[0].teaches == "It is 1.");
  CHECK(made.presets[0].values == param::Values{{"x", "1"}, {"y", "a b"}});
  CHECK(made.presets[1].teaches.empty());
  CHECK(made.presets[1].values.empty());
}

TEST_CASE("What a lab's text says of its picture; of a lab without a text nothing") {
  const lab::Picture& cache = lab::picture_of("cache");
  CHECK(cache.preset == "first_look");
  CHECK(cache.figure == "step");
  CHECK(cache.plots == std::vector<std::string_view>{"keys", "values"});
  CHECK(cache.columns == 2);
  CHECK(cache.reduced == 1);
  CHECK(lab::picture_of("number_line").reduced == 0.5f);
  CHECK(cache.start_figure() == "step");
  CHECK(lab::picture_of("multi_head").figure == "head");
  CHECK(lab::picture_of("multi_head").start_figure() == "heads");
  CHECK(lab::picture_of("no such lab").figure.empty());
}

TEST_CASE("Sentences that stand on one another share what is below; an empty line parts them") {
  const auto places = lab::text::read(
      "# a\n## caption:f\n> One.\n> Two.\ncheck: 1 = 1\nheld by: b\n> Three.\nis: advice\n"
      "## about\n> Four.\n\n> Five.\nis: advice\n",
      "a.md");
  REQUIRE(places.size() == 3);
  const Place& caption = places[1];
  CHECK(lab::text::to_text(caption) == "caption:f");
  REQUIRE(caption.claims.size() == 2);
  CHECK(caption.claims[0].sentences == std::vector<std::string_view>{"One.", "Two."});
  CHECK(caption.claims[0].line == 3);
  REQUIRE(caption.claims[0].held.size() == 2);
  CHECK(caption.claims[0].held[1].word == "held by");
  CHECK(caption.claims[0].held[1].rest == "b");
  CHECK(caption.claims[0].held[1].number == 6);
  REQUIRE(places[2].claims.size() == 2);
  CHECK(places[2].claims[0].held.empty());
  CHECK(places[2].claims[1].sentences == std::vector<std::string_view>{"Five."});
}

TEST_CASE("A text that is not one is refused with its file, its line and what was expected") {
  const auto refused = [](const std::string& text, std::string_view wanted) {
    CAPTURE(text);
    CHECK(refusal(text) == wanted);
  };
  refused(kHead, "nothing");
  refused("title: A\n",
          "a.md, line 1: expected the lab's id as in \"# number_line\", got \"title: A\"");
  refused("# a\nquestion: Why?\nchapter: gpt\n",
          "a.md, line 1: expected \"title: …\", got \"# a\"");
  refused("# a\ntitle: A\nquestion: Why?\nchapter: gtp\n",
          "a.md, line 4: expected one of where_attention_comes_from, attention, position, "
          "precision, sparsity, transformer, gpt, yours, got \"gtp\"");
  refused("# a\ntitle: A\ntitle: B\n", "a.md, line 3: expected \"title\" once, got \"title: B\"");
  refused("# a\nsubject: A\n",
          "a.md, line 2: expected one of title, question, chapter, chinese, picture, got "
          "\"subject: A\"");
  for (const char* picture : {"p", "p, f, g", "p, f | plots", "p, f | rows=2", "p, f | columns=0",
                              "p, f | columns=2.5", "p, f | reduced=0", "p, f | reduced=2"}) {
    refused(kHead + "picture: " + picture + "\n",
            "a.md, line 5: expected \"preset, figure\", and what else is to be said, \"| "
            "start=figure | plots=a, b | "
            "columns=1..12 | reduced=0.1..1\", got \"" +
                std::string(picture) + "\"");
  }
  refused(kHead + "## nothing:a\n",
          "a.md, line 5: expected one of about, made_up, sources, preset:ID, card:ID, "
          "caption:FIGURE, got \"nothing:a\"");
  refused(kHead + "## preset\n",
          "a.md, line 5: expected one of about, made_up, sources, preset:ID, card:ID, "
          "caption:FIGURE, got \"preset\"");
  refused(kHead + "## preset:p\ntitle: P\n## preset:p\n",
          "a.md, line 7: expected \"## preset:p\" once (line 5), got \"preset:p\"");
  refused(kHead + "## preset:p\nset: x=1\n",
          "a.md, line 5: expected \"title: …\", got \"preset:p\"");
  refused(kHead + "## preset:p\ntitle: P\nset: x\n",
          "a.md, line 7: expected \"knob=value | knob=value\", got \"x\"");
  refused(
      kHead + "## preset:p\ntitle: P\nverdict: half\n",
      "a.md, line 7: expected one of title, set, figure, or a sentence, \"> …\", got \"verdict: "
      "half\"");
  refused(
      kHead + "## about\n> It is 3.\nsays: so\n",
      "a.md, line 7: expected one of check, when, keep, then, preset, set, over, fixed, held by, "
      "is, and a colon, got \"says: so\"");
  refused(kHead + "## about\n> It is 3.\n\ncheck: 1 = 1\n",
          "a.md, line 8: expected a sentence, \"> …\", got \"check: 1 = 1\"");
  refused(kHead + "## about\n> It is 3.\nover: x=1\n",
          "a.md, line 6: nothing below \"It is 3.\" holds it: expected check, held by or is");
  refused(kHead + "## caption:f\n> It is 3.\n",
          "a.md, line 6: nothing below \"It is 3.\" holds it: expected check, held by or is");
  refused(kHead + "> It is 3.\n",
          "a.md, line 5: expected a place such as \"## about\", got \"It is 3.\"");
  refused(
      kHead + "## sources\n- nobody_1900: page 1\n",
      "a.md, line 6: expected \"- key: where\" with a key of shared/papers.md, or \"- citation | "
      "where | address\", got \"nobody_1900: page 1\"");
  const std::string card = kHead + "## card:c\nsaid: So.\nsource: Me 2020\n";
  refused(card + "verdict: half\n", "nothing");
  refused(card, "a.md, line 5: expected \"verdict: …\", got \"card:c\"");
  refused(card + "verdict: maybe\n",
          "a.md, line 8: expected one of wrong, half, holds, got \"maybe\"");
  refused(card + "verdict: half\nsettled: p\n",
          "a.md, line 9: expected a preset and a figure, \"tenth, line\", got \"p\"");
  refused(card + "verdict: half\nshown: scheme\n",
          "a.md, line 9: expected \"knob=value | knob=value\", got \"scheme\"");
}

// The lab stands with these settings, or says why it cannot.
std::string assigned(const lab::Lab& lab, std::string_view settings) {
  const auto state = lab.make();
  try {
    param::assign(state->describe(), param::read_settings(settings));
  } catch (const core::InputError& fault) {
    return fault.what();
  }
  return "";
}

TEST_CASE(
    "Every lab's text stands in its folder and names only presets, knobs and values there are") {
  for (const lab::Lab& lab : lab::all()) {
    const std::string file = lab::text::file_of(lab.id);
    CAPTURE(file);
    CHECK(std::filesystem::exists(std::filesystem::path(ATTNSCOPE_SOURCE_DIR) / file));
    CHECK(assigned(lab, lab.chinese) == "");
    for (const Place& place : lab::text::places_of(lab.id)) {
      for (const Line& fact : place.facts) {
        CAPTURE(fact.number);
        if (fact.word == "set" || fact.word == "shown") CHECK(assigned(lab, fact.rest) == "");
        if (fact.word != "settled") continue;
        const auto preset = fact.rest.substr(0, fact.rest.find(','));
        CHECK(std::any_of(lab.presets.begin(), lab.presets.end(),
                          [&](const lab::Preset& one) { return one.id == preset; }));
      }
    }
  }
}

TEST_CASE("A card's {} are filled in, in both languages, and cards are shown where they say") {
  const words::Words english, chinese(words::Language::zh_CN);
  for (const words::Words& w : {english, chinese}) {
    auto cards = lab::cards("pooling", w);
    lab::fill(cards, "rate", w, 20, 0.75);
    const auto rate = std::find_if(cards.begin(), cards.end(),
                                   [](const lab::Card& one) { return one.id == "rate"; });
    REQUIRE(rate != cards.end());
    CHECK(rate->truth.find("20") != std::string::npos);
    CHECK(rate->truth.find("0.75") != std::string::npos);
    CHECK(rate->truth.find('{') == std::string::npos);
  }
  const auto shown = [&](const char* settings) {
    const auto state = lab::find("relative").make();
    param::assign(state->describe(), param::read_settings(settings));
    std::set<std::string> ids;
    for (const lab::Card& one : lab::cards("relative", english, state->list())) ids.insert(one.id);
    return ids;
  };
  CHECK(shown("scheme=shaw") == std::set<std::string>{"sign", "raw_product"});
  CHECK(shown("scheme=xlnet") == std::set<std::string>{"one_matrix", "raw_product"});
  CHECK(shown("scheme=transformer_xl") == shown("scheme=xlnet"));
  CHECK(lab::cards("relative", english).size() == 1);  // with no knobs
}

}  // namespace text_test
