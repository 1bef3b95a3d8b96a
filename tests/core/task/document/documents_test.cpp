// Documents that are drawn, and the words of typed ones.
#include <doctest/doctest.h>

#include <set>

#include "core/task/document/document_words.h"
#include "core/task/document/documents.h"

namespace documents_test {

using namespace core::task;
using core::Index;

namespace {

const DocumentTask kTasks[] = {{DocumentKind::opinions, Language::english},
                               {DocumentKind::opinions, Language::chinese},
                               {DocumentKind::topics, Language::english},
                               {DocumentKind::topics, Language::chinese}};

bool has(const WordList& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

TEST_CASE("documents have three to six sentences, one or two of which tell, and every label") {
  for (const DocumentTask& task : kTasks) {
    std::set<Index> labels, lengths, evidence;
    for (const Document& one : draw_documents(task, 1, 500, false)) {
      labels.insert(one.label);
      lengths.insert(static_cast<Index>(one.sentences.size()));
      evidence.insert(static_cast<Index>(one.evidence.size()));
      for (const auto& position : one.evidence) {
        REQUIRE(position.word >= 0);
        REQUIRE(
            position.word <
            static_cast<Index>(one.sentences[static_cast<std::size_t>(position.sentence)].size()));
      }
    }
    CHECK(static_cast<Index>(labels.size()) == classes_of(task));
    CHECK(lengths == std::set<Index>{3, 4, 5, 6});
    CHECK(evidence == std::set<Index>{1, 2});
  }
}

TEST_CASE("the telling word says the label, turned around where it is denied") {
  for (const Language language : {Language::english, Language::chinese}) {
    const OpinionWords& w = opinion_words(language);
    Index denied = 0, all = 0;
    for (const Document& one : draw_documents({DocumentKind::opinions, language}, 2, 2000, false)) {
      for (const auto& position : one.evidence) {
        const auto& sentence = one.sentences[static_cast<std::size_t>(position.sentence)];
        const std::string& word = sentence[static_cast<std::size_t>(position.word)];
        bool good = has(w.good, word), bad = has(w.bad, word);
        for (const Things& kind : w.kinds) {
          good |= has(kind.good, word);
          bad |= has(kind.bad, word);
        }
        REQUIRE(good != bad);
        const bool no = has({sentence.begin(), sentence.end()}, std::string(w.denial));
        CHECK((one.label == 0) == (good != no));
        denied += no;
        ++all;
      }
    }
    CHECK(static_cast<double>(denied) / static_cast<double>(all) ==
          doctest::Approx(0.2).epsilon(0.15));
  }
}

TEST_CASE("sentences that do not tell have no word that does") {
  for (const DocumentTask& task : kTasks) {
    std::set<std::string> evidence;
    const auto documents = draw_documents(task, 3, 500, false);
    for (const Document& one : documents) {
      for (const auto& position : one.evidence) {
        evidence.insert(one.sentences[static_cast<std::size_t>(position.sentence)]
                                     [static_cast<std::size_t>(position.word)]);
      }
    }
    Index seen = 0;
    for (const Document& one : documents) {
      for (const auto& sentence : one.sentences) {
        for (const std::string& word : sentence) seen += evidence.contains(word) ? 1 : 0;
      }
      seen -= static_cast<Index>(one.evidence.size());
    }
    CHECK(seen == 0);
  }
}

TEST_CASE("a document is found again in its text, by every word" * doctest::test_suite("long")) {
  for (const DocumentTask& task : kTasks) {
    const Vocabulary vocabulary(words_of(task));
    for (const bool held : {false, true}) {
      for (const Document& one : draw_documents(task, 4, 1000, held)) {
        const std::string text = text_of(one, task.language);
        CAPTURE(text);
        REQUIRE(sentences_of(text, task.language, vocabulary) == one.sentences);
        for (const auto& sentence : one.sentences) {
          for (const std::string& word : sentence) {
            REQUIRE(vocabulary.id(word) != Vocabulary::kUnknown);
          }
        }
      }
    }
  }
}

TEST_CASE("typed texts: every end of a sentence, marks, capitals, words that are not known") {
  const Vocabulary english(words_of(kTasks[0])), chinese(words_of(kTasks[1]));
  using Sentences = std::vector<std::vector<std::string>>;
  CHECK(sentences_of("The SOUP, was good! Why?\nMy otter's... ", Language::english, english) ==
        Sentences{{"the", "soup", "was", "good"}, {"why"}, {"my", "otter's"}});
  CHECK(sentences_of("汤不好吃！水獭，很热情？", Language::chinese, chinese) ==
        Sentences{{"汤", "不", "好吃"}, {"水", "獭", "很", "热情"}});
  CHECK(sentences_of(" .!? ", Language::english, english).empty());
  CHECK(sentences_of("", Language::chinese, chinese).empty());
  CHECK_THROWS_AS(sentences_of("\xff", Language::english, english), core::InputError);
}

TEST_CASE("the same seed, the same documents; what is held out is never drawn for training") {
  const DocumentTask task;
  CHECK(draw_documents(task, 5, 50, false) == draw_documents(task, 5, 50, false));
  CHECK(draw_documents(task, 5, 50, false) != draw_documents(task, 6, 50, false));
  std::set<std::string> held;
  for (const Document& one : draw_documents(task, 5, 2000, true))
    held.insert(text_of(one, task.language));
  for (const Document& one : draw_documents(task, 7, 2000, false)) {
    CHECK_FALSE(held.contains(text_of(one, task.language)));
  }
}

}  // namespace documents_test
