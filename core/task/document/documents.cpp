#include "core/task/document/documents.h"

#include <algorithm>
#include <set>

#include "core/task/document/document_words.h"

namespace core::task {
namespace {

constexpr Index kFewest = 3, kMost = 6;  // sentences
constexpr std::uint32_t kDeniedOneIn = 5, kHeldOneIn = 10;

std::string_view one_of(const WordList& list, Random& random) {
  return list[random.below(static_cast<std::uint32_t>(list.size()))];
}
std::string_view one_of(const WordList& a, const WordList& b, Random& random) {
  const std::uint32_t at = random.below(static_cast<std::uint32_t>(a.size() + b.size()));
  return at < a.size() ? a[at] : b[at - a.size()];
}

// A sentence and where its "$word" stands, -1: it has none.
struct Written {
  std::vector<std::string> words;
  Index word = -1;
};

// Slots of numbers and persons are drawn, those of `thing` and `word` filled.
Written fill(std::string_view sentence, std::string_view thing, std::string_view word,
             Language language, Random& random) {
  Written out;
  while (!sentence.empty()) {
    const std::size_t end = std::min(sentence.find(' '), sentence.size());
    std::string_view one = sentence.substr(0, end);
    sentence.remove_prefix(std::min(end + 1, sentence.size()));
    if (one == "$word") out.word = static_cast<Index>(out.words.size());
    if (one == "$word") one = word;
    if (one == "$thing") one = thing;
    if (one == "$number") one = one_of(numbers_of(language), random);
    if (one == "$person") one = one_of(persons_of(language), random);
    out.words.emplace_back(one);
  }
  return out;
}

Written write_opinion(Language language, Index label, Document& document, Random& random) {
  const OpinionWords& w = opinion_words(language);
  const Things& kind = w.kinds[random.below(static_cast<std::uint32_t>(w.kinds.size()))];
  const bool denied = random.below(kDeniedOneIn) == 0;
  const bool good = (label == 0) != denied;
  document.denied |= denied;
  const std::string_view thing = one_of(kind.things, random);
  const std::string_view word =
      good ? one_of(kind.good, w.good, random) : one_of(kind.bad, w.bad, random);
  return fill(one_of(denied ? w.denied : w.said, random), thing, word, language, random);
}

Written neutral_opinion(Language language, Random& random) {
  const OpinionWords& w = opinion_words(language);
  const Things& kind = w.kinds[random.below(static_cast<std::uint32_t>(w.kinds.size()))];
  const std::string_view thing = one_of(kind.things, random);
  const std::string_view word = one_of(kind.neutral, random);
  return fill(one_of(w.neutral, random), thing, word, language, random);
}

Written write_topic(Language language, Index label, Random& random) {
  const TopicWords& w = topic_words(language);
  const std::string_view word = one_of(w.topics[static_cast<std::size_t>(label)], random);
  return fill(one_of(w.said, random), {}, word, language, random);
}

Written neutral_topic(Language language, Random& random) {
  const TopicWords& w = topic_words(language);
  const std::string_view word = one_of(w.things, random);
  return fill(one_of(w.said, w.neutral, random), {}, word, language, random);
}

// Which sentences of `count` tell: one, or two different ones, in order.
std::vector<Index> positions(Index count, Random& random) {
  const auto below = [&](Index n) {
    return static_cast<Index>(random.below(static_cast<std::uint32_t>(n)));
  };
  const Index first = below(count);
  if (below(2) == 0) return {first};
  const Index second = (first + 1 + below(count - 1)) % count;
  return {std::min(first, second), std::max(first, second)};
}

Document draw(const DocumentTask& task, Random& random) {
  Document document;
  document.label = static_cast<Index>(random.below(static_cast<std::uint32_t>(classes_of(task))));
  const auto count =
      kFewest + static_cast<Index>(random.below(static_cast<std::uint32_t>(kMost - kFewest + 1)));
  const std::vector<Index> evidence = positions(count, random);
  const bool opinions = task.kind == DocumentKind::opinions;
  for (Index s = 0; s < count; ++s) {
    const bool tells = std::find(evidence.begin(), evidence.end(), s) != evidence.end();
    Written one;
    if (tells) {
      one = opinions ? write_opinion(task.language, document.label, document, random)
                     : write_topic(task.language, document.label, random);
      document.evidence.push_back({s, one.word});
    } else {
      one =
          opinions ? neutral_opinion(task.language, random) : neutral_topic(task.language, random);
    }
    document.sentences.push_back(std::move(one.words));
  }
  return document;
}

bool held_out(const DocumentTask& task, const Document& document) {
  return hash64(text_of(document, task.language)) % kHeldOneIn == 0;
}

// --- words of a text

bool is_mark(const std::string& word) {
  static const std::set<std::string> marks{",",  ";",  ":",  "\"", "(",  ")", "-", "，",
                                           "；", "：", "、", "“",  "”",  "‘", "’", "（",
                                           "）", "…",  "—",  "《", "》", "'", "/", "·"};
  return marks.contains(word);
}

// Parts between ends, each in characters.
std::vector<std::vector<std::string>> parts(const std::string& text) {
  static const std::set<std::string> ends{".", "!", "?", "。", "！", "？", "⏎", "\n"};
  std::vector<std::vector<std::string>> all(1);
  for (std::string& c : split(text, Unit::characters)) {
    if (!ends.contains(c)) {
      all.back().push_back(std::move(c));
    } else if (!all.back().empty()) {
      all.emplace_back();
    }
  }
  return all;
}

std::vector<std::string> longest_words(const std::vector<std::string>& characters,
                                       const Vocabulary& vocabulary) {
  constexpr std::size_t kLongest = 4;  // characters of a word
  std::vector<std::string> words;
  for (std::size_t at = 0; at < characters.size();) {
    std::size_t taken = std::min(kLongest, characters.size() - at);
    std::string word;
    for (; taken > 1; --taken) {
      word = join({characters.begin() + static_cast<Index>(at),
                   characters.begin() + static_cast<Index>(at + taken)},
                  Unit::characters);
      if (vocabulary.id(word) != Vocabulary::kUnknown) break;
    }
    if (taken == 1) word = characters[at];
    if (word != " " && word != "⇥" && !is_mark(word)) words.push_back(word);
    at += taken;
  }
  return words;
}

}  // namespace

Index classes_of(const DocumentTask& task) {
  if (task.kind == DocumentKind::opinions) return 2;
  return static_cast<Index>(topic_words(task.language).topics.size());
}

std::vector<std::string> words_of(const DocumentTask& task) {
  std::set<std::string> all;
  // Words apart by spaces; slots are none.
  const auto take_sentences = [&](const WordList& list) {
    Random random(0);
    for (const std::string_view sentence : list) {
      for (std::string& word : fill(sentence, "", "", task.language, random).words) {
        if (!word.empty()) all.insert(std::move(word));
      }
    }
  };
  const auto take_words = [&](const WordList& list) { all.insert(list.begin(), list.end()); };
  take_words(numbers_of(task.language));
  take_words(persons_of(task.language));
  if (task.kind == DocumentKind::opinions) {
    const OpinionWords& w = opinion_words(task.language);
    for (const Things& kind : w.kinds) {
      for (const WordList& list : {kind.things, kind.good, kind.bad, kind.neutral}) {
        take_words(list);
      }
    }
    for (const WordList& list : {w.good, w.bad}) take_words(list);
    for (const WordList& list : {w.said, w.denied, w.neutral}) take_sentences(list);
  } else {
    const TopicWords& w = topic_words(task.language);
    for (const WordList& list : w.topics) take_words(list);
    take_words(w.things);
    for (const WordList& list : {w.said, w.neutral}) take_sentences(list);
  }
  return {all.begin(), all.end()};
}

std::string text_of(const Document& document, Language language) {
  std::string text;
  for (const std::vector<std::string>& sentence : document.sentences) {
    if (sentence.empty()) continue;
    if (language == Language::chinese) {
      text += join(sentence, Unit::characters) + "。";
      continue;
    }
    std::string line = join(sentence, Unit::words);
    if (line[0] >= 'a' && line[0] <= 'z') line[0] = static_cast<char>(line[0] - 'a' + 'A');
    text += (text.empty() ? "" : " ") + line + ".";
  }
  return text;
}

std::vector<std::vector<std::string>> sentences_of(const std::string& text, Language language,
                                                   const Vocabulary& vocabulary) {
  std::vector<std::vector<std::string>> all;
  for (const std::vector<std::string>& part : parts(normalized(text))) {
    std::vector<std::string> words;
    if (language == Language::chinese) {
      words = longest_words(part, vocabulary);
    } else {
      for (std::string& word : split(join(part, Unit::characters), Unit::words)) {
        if (!is_mark(word)) words.push_back(std::move(word));
      }
    }
    if (!words.empty()) all.push_back(std::move(words));
  }
  return all;
}

std::vector<Document> draw_documents(const DocumentTask& task, std::uint64_t seed, Index count,
                                     bool held) {
  Random random(seed);
  std::vector<Document> documents;
  documents.reserve(static_cast<std::size_t>(count));
  while (static_cast<Index>(documents.size()) < count) {
    Document one = draw(task, random);
    if (held_out(task, one) == held) documents.push_back(std::move(one));
  }
  return documents;
}

}  // namespace core::task
