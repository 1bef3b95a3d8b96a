#include "core/task/sequence/stories.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include "core/task/wanted.h"

namespace core::task {
namespace {

using Rule = Agreement::Kind;

// A line while it is written.
class LineWriter {
 public:
  explicit LineWriter(Random& random) : random_(random) {}

  // One of a list, by chance; but for the one at `without`, if that is one.
  template <class List>
  std::size_t any(const List& list, std::size_t without = static_cast<std::size_t>(-1)) {
    const bool one_less = without < std::size(list);
    const std::size_t count = std::size(list) - (one_less ? 1 : 0);
    line_.nats += std::log(static_cast<double>(count));
    const auto k = static_cast<std::size_t>(below(random_, static_cast<Index>(count)));
    return one_less && k >= without ? k + 1 : k;
  }
  bool coin() { return any(std::array{false, true}) == 1; }

  // Where the text begins.
  Index add(std::string_view text) {
    const Index at = size_;
    line_.text += text;
    // Bytes that continue a character begin with the bits 10.
    size_ += std::count_if(text.begin(), text.end(),
                           [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; });
    return at;
  }
  void agree(Rule kind, Index decides, Index follows) {
    line_.agreements.push_back({kind, decides, follows});
  }
  StoryLine take() {
    add("\n");
    return std::move(line_);
  }

 private:
  Random& random_;
  StoryLine line_;
  Index size_ = 0;
};

// --- English

struct Person {
  const char *name, *begins, *goes_on;  // "Anna", "She", "she"
};
constexpr Person kPeople[] = {{"Anna", "She", "she"}, {"Mary", "She", "she"},
                              {"Lucy", "She", "she"}, {"Tom", "He", "he"},
                              {"Ben", "He", "he"},    {"Max", "He", "he"}};
constexpr const char* kThings[] = {"ball", "book", "hat", "key", "cup", "bag"};
constexpr const char* kLooks[] = {"red", "blue", "green", "small", "new"};
constexpr const char* kAnimals[] = {"cat", "dog", "bird", "horse", "cow"};
constexpr const char* kVerbs[] = {"see", "hear", "like", "fear", "follow"};
constexpr const char* kPrepositions[] = {"under", "on", "behind"};
constexpr const char* kFurniture[] = {"table", "bed", "chair", "box"};

void gives(LineWriter& w) {
  const std::size_t who = w.any(kPeople), what = w.any(kThings), look = w.any(kLooks);
  const std::size_t whom = w.any(kPeople, who);
  const Index name = w.add(kPeople[who].name);
  w.add(" has a ");
  const Index thing = w.add(kThings[what]);
  w.add(std::string(" that is ") + kLooks[look] + ". ");
  w.agree(Rule::pronoun, name, w.add(kPeople[who].begins));
  w.add(" gives the ");
  w.agree(Rule::repeat, thing, w.add(kThings[what]));
  w.add(std::string(" to ") + kPeople[whom].name + ".");
}

void sees(LineWriter& w) {
  const std::size_t look = w.any(kLooks), animal = w.any(kAnimals), verb = w.any(kVerbs);
  const std::size_t other = w.any(kAnimals, animal);
  const bool many = w.coin();
  w.add(std::string("The ") + kLooks[look] + " ");
  const Index subject = w.add(kAnimals[animal]);
  // What tells one from many stands behind the noun: an s, or a space.
  const Index number = subject + static_cast<Index>(std::string(kAnimals[animal]).size());
  w.add(many ? "s " : " ");
  const Index at = w.add(kVerbs[verb]);
  w.agree(Rule::verb, number, at + static_cast<Index>(std::string(kVerbs[verb]).size()));
  w.add(many ? " the " : "s the ");
  w.add(std::string(kAnimals[other]) + ".");
}

void asks(LineWriter& w) {
  const std::size_t what = w.any(kThings), place = w.any(kPrepositions), where = w.any(kFurniture);
  w.add("Where is the ");
  const Index thing = w.add(kThings[what]);
  w.add("? The ");
  w.agree(Rule::repeat, thing, w.add(kThings[what]));
  w.add(std::string(" is ") + kPrepositions[place] + " the " + kFurniture[where] + ".");
}

void but(LineWriter& w) {
  const std::size_t who = w.any(kPeople), verb = w.any(kVerbs), other = w.any(kVerbs, verb);
  const std::size_t animal = w.any(kAnimals), second = w.any(kAnimals, animal);
  const Index name = w.add(kPeople[who].name);
  w.add(std::string(" ") + kVerbs[verb] + "s the " + kAnimals[animal] + ", but ");
  w.agree(Rule::pronoun, name, w.add(kPeople[who].goes_on));
  w.add(std::string(" ") + kVerbs[other] + "s the " + kAnimals[second] + ".");
}

// --- Chinese

struct Named {
  const char *name, *pronoun;
};
constexpr Named kNamed[] = {{"小兰", "她"}, {"小红", "她"}, {"小丽", "她"},
                            {"小明", "他"}, {"小刚", "他"}, {"小军", "他"}};
struct Counted {
  const char *noun, *measure;
};
constexpr Counted kCounted[] = {{"猫", "只"}, {"鸟", "只"}, {"书", "本"},
                                {"鱼", "条"}, {"蛇", "条"}, {"画", "张"},
                                {"纸", "张"}, {"伞", "把"}, {"刀", "把"}};
constexpr const char* kWhere[] = {"门前", "床上", "树下", "窗边"};

// "只猫"; where the noun stands. The noun follows from its measure word.
Index counted(LineWriter& w, const Counted& what) {
  const Index measure = w.add(what.measure);
  const Index noun = w.add(what.noun);
  w.agree(Rule::measure_word, measure, noun);
  return noun;
}
// The same again, which follows from the first.
void counted_again(LineWriter& w, const Counted& what, Index first) {
  w.agree(Rule::repeat, first, w.add(what.measure));
  w.agree(Rule::repeat, first, w.add(what.noun));
}

void likes(LineWriter& w) {
  const Named& who = kNamed[w.any(kNamed)];
  const Counted& what = kCounted[w.any(kCounted)];
  const Index name = w.add(who.name) + 1;  // 小 is in every name
  w.add("有一");
  const Index noun = counted(w, what);
  w.add("，");
  w.agree(Rule::pronoun, name, w.add(who.pronoun));
  w.add("喜欢这");
  counted_again(w, what, noun);
  w.add("。");
}

void wants(LineWriter& w) {
  const Named& who = kNamed[w.any(kNamed)];
  const Counted& what = kCounted[w.any(kCounted)];
  const Index name = w.add(who.name) + 1;
  w.add("没有");
  const Index noun = w.add(what.noun);
  w.add("，所以");
  w.agree(Rule::pronoun, name, w.add(who.pronoun));
  w.add("想要一");
  counted_again(w, what, noun);
  w.add("。");
}

void belongs(LineWriter& w) {
  const Counted& what = kCounted[w.any(kCounted)];
  const Named& who = kNamed[w.any(kNamed)];
  w.add("那");
  counted(w, what);
  w.add("是");
  const Index name = w.add(who.name) + 1;
  w.add("的，");
  w.agree(Rule::pronoun, name, w.add(who.pronoun));
  w.add("很喜欢它。");
}

void stands(LineWriter& w) {
  const std::size_t one = w.any(kCounted), other = w.any(kCounted, one);
  const std::size_t here = w.any(kWhere), there = w.any(kWhere, here);
  w.add("一");
  counted(w, kCounted[one]);
  w.add(std::string("在") + kWhere[here] + "，一");
  counted(w, kCounted[other]);
  w.add(std::string("在") + kWhere[there] + "。");
}

std::vector<std::string> characters_of(Language language) {
  // So many lines that each word comes up in some: the rarest is one of a few dozen.
  constexpr int kLines = 3000;
  std::set<std::string> all;
  Random random(1);
  for (int k = 0; k < kLines; ++k) {
    for (std::string& token : split(draw_line(language, random).text, Unit::characters)) {
      all.insert(std::move(token));
    }
  }
  return {all.begin(), all.end()};
}

// 小, 兰 and so on.
bool in_a_name(std::string_view character) {
  return std::any_of(std::begin(kNamed), std::end(kNamed), [&](const Named& who) {
    return std::string_view(who.name).find(character) != std::string_view::npos;
  });
}

constexpr std::array kEnglish = {gives, sees, asks, but};
constexpr std::array kChinese = {likes, wants, belongs, stands};

}  // namespace

StoryLine draw_line(Language language, Random& random) {
  LineWriter writer(random);
  if (language == Language::english) {
    kEnglish[writer.any(kEnglish)](writer);
  } else {
    kChinese[writer.any(kChinese)](writer);
  }
  return writer.take();
}

WordClass word_class(Language language, const std::string& character) {
  if (language == Language::english || character.empty()) return WordClass::none;
  for (const Counted& one : kCounted) {
    if (character == one.noun) return WordClass::noun;
    if (character == one.measure) return WordClass::measure_word;
  }
  if (character == "他" || character == "她" || character == "它") return WordClass::pronoun;
  return in_a_name(character) ? WordClass::name : WordClass::none;
}

const std::vector<std::string>& story_characters(Language language) {
  static const std::vector<std::string> english = characters_of(Language::english);
  static const std::vector<std::string> chinese = characters_of(Language::chinese);
  return language == Language::english ? english : chinese;
}

}  // namespace core::task
