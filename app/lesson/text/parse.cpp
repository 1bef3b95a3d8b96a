#include <algorithm>
#include <iterator>

#include "app/lesson/text/parse_answer.h"
#include "app/lesson/text/text.h"
#include "app/lesson/text/values.h"
#include "app/param/reading.h"
#include "core/text/printable.h"
#include "core/text/utf8.h"

namespace lesson {
namespace {

using WordPlace = WordInfo::Place;
using param::trimmed;
using AnswerKind = decltype(Question::kind);

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr int kMostMinutes = 240;

bool allowed(WordPlace place, WordPlace here) {
  return place == here || (place == WordPlace::stop_or_question && here != WordPlace::head) ||
         (place == WordPlace::head_or_stop && here != WordPlace::question);
}

// "word: rest"; an empty word: the line is none of these.
std::pair<std::string_view, std::string_view> split_word(std::string_view line) {
  std::size_t n = 0;
  while (n < line.size() && line[n] >= 'a' && line[n] <= 'z') ++n;
  const bool word =
      n > 0 && n < line.size() && line[n] == ':' && (n + 1 == line.size() || line[n + 1] == ' ');
  if (!word) return {{}, line};
  return {line.substr(0, n), trimmed(line.substr(n + 1))};
}

bool begins_item(std::string_view line) { return line.starts_with("- "); }

// Lines, one after the other; each part of the lesson takes those that are its own.
class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : rest_(text) { where_.file = file; }

  Lesson whole() {
    lesson_.file = where_.file;
    while (next()) take_line();
    end_stop();
    check_whole();
    return std::move(lesson_);
  }

 private:
  // Lines -------------------------------------------------------------------------------------
  bool next() {
    if (rest_.empty()) return false;
    line_ = param::taken_to('\n', rest_);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    ++where_.line;
    return true;
  }
  // The lines that go on from this one: they begin with two blanks.
  std::string with_continued(std::string_view first) {
    std::string all(trimmed(first));
    while (rest_.starts_with("  ")) {
      const std::string_view more = rest_.substr(0, rest_.find('\n'));
      if (trimmed(more).empty()) break;
      next();
      all = joined(std::move(all), trimmed(line_));
    }
    return all;
  }
  Paragraph paragraph(std::string_view first) {
    const Where begun = where_;
    return read_paragraph(with_continued(first), begun);
  }

  void take_line() {
    if (trimmed(line_).empty()) return end_paragraph();
    if (line_.starts_with("## ")) return begin_stop();
    if (line_.starts_with("# ")) return title();
    if (line_.starts_with("#")) {
      refuse_got(where_, words::Sentence(N_("\"# \" before the title or \"## \" before a stop's")),
                 line_);
    }
    if (line_.starts_with("<!--")) return comment();
    if (line_.starts_with("? ")) return begin_question();
    if (begins_item(line_)) return item();
    if (line_.starts_with("> ")) return note();
    const auto [word, value] = split_word(line_);
    if (!word.empty()) return take_word(word, value);
    words_line();
  }

  void comment() {
    const int begun = where_.line;
    while (line_.find("-->") == line_.npos) {
      if (next()) continue;
      where_.line = begun;
      refuse(where_,
             words::Sentence(N_("expected {} after {}, got the end of the file"), "-->", "<!--"));
    }
    end_paragraph();
  }

  // Text ----------------------------------------------------------------------------------------
  void words_line() {
    if (!stop_) {
      refuse_got(where_, words::Sentence(N_("a word of the lesson's head, or \"## \" and a title")),
                 line_);
    }
    if (text_.empty()) text_line_ = where_.line;
    text_ = joined(std::move(text_), trimmed(line_));
  }
  void end_paragraph() {
    if (text_.empty()) return;
    const Paragraph read = read_paragraph(text_, {where_.file, text_line_});
    text_.clear();
    if (asking()) {
      if (stop_->question->why.empty()) {
        refuse({where_.file, text_line_},
               words::Sentence(N_("expected \"why:\" before the text after the question")));
      }
      stop_->question->after.push_back(read);
    } else {
      stop_->text.push_back(read);
    }
  }
  void note() {
    end_paragraph();
    if (!stop_) {
      refuse_got(where_, words::Sentence(N_("a word of the lesson's head, or \"## \" and a title")),
                 line_);
    }
    stop_->notes.push_back(paragraph(line_.substr(2)));
  }

  // Parts ---------------------------------------------------------------------------------------
  void title() {
    if (!lesson_.title.empty()) {
      refuse_got(where_, words::Sentence(N_("one title of the lesson")), line_);
    }
    lesson_.title = trimmed(line_.substr(2));
  }
  void begin_stop() {
    end_stop();
    stop_ = Stop{.line = where_.line, .title = std::string(trimmed(line_.substr(3)))};
  }
  void end_stop() {
    if (!stop_) return;
    end_paragraph();
    if (stop_->question) check_question();
    if (stop_->text.empty() && !stop_->question) {
      refuse({where_.file, stop_->line},
             words::Sentence(N_("expected a sentence or a question in this stop, got nothing")));
    }
    if (!stop_->seen.empty() && !stop_->wait) {
      refuse({where_.file, stop_->seen.line},
             words::Sentence(N_("expected \"wait:\" in a stop with \"seen:\", got none")));
    }
    if (stop_->question && stop_->wait) {
      refuse({where_.file, stop_->wait->line},
             words::Sentence(N_("expected a question or \"wait:\" in a stop, got both")));
    }
    lesson_.stops.push_back(std::move(*stop_));
    stop_.reset();
  }
  void check_whole() const {
    const Where first{where_.file, 1};
    if (lesson_.title.empty()) {
      refuse(first, words::Sentence(N_("expected \"# \" and a title, got no such line")));
    }
    if (lesson_.about.empty()) {
      refuse(first, words::Sentence(N_("expected \"about:\" and a sentence, got no such line")));
    }
    if (lesson_.minutes == 0) {
      refuse(first, words::Sentence(N_("expected \"minutes:\" and a number, got no such line")));
    }
    if (lesson_.stops.empty()) {
      refuse(first,
             words::Sentence(N_("expected stops, each after \"## \" and a title, got none")));
    }
    if (lesson_.lab.empty() && lesson_.stops.front().lab.empty()) {
      refuse({where_.file, lesson_.stops.front().line},
             words::Sentence(N_("expected \"lab:\" in the lesson's head or its first stop")));
    }
  }

  bool asking() const { return stop_ && stop_->question.has_value(); }
  WordPlace place() const {
    return !stop_ ? WordPlace::head : asking() ? WordPlace::question : WordPlace::stop;
  }

  // Words ---------------------------------------------------------------------------------------
  void take_word(std::string_view name, std::string_view value) {
    end_paragraph();
    std::vector<std::string> here;
    const WordInfo* found = nullptr;
    for (const WordInfo& one : word_table()) {
      if (allowed(one.place, place())) here.emplace_back(one.name);
      if (one.name == name) found = &one;
    }
    if (!found)
      refuse_unknown(where_, words::Sentence(N_("a word that is allowed here")), name, here);
    if (!allowed(found->place, place())) {
      refuse_unknown(where_, words::Sentence(N_("a word that is allowed here")), name, here);
    }
    if (value.empty()) {
      refuse(where_, words::Sentence(N_("expected {} after \"{}:\", got nothing"), found->takes,
                                     found->name));
    }
    if (!stop_) return head_word(found->word, value);
    asking() ? question_word(found->word, value) : stop_word(found->word, value);
  }

  template <class T>
  void once(bool given, T name) const {
    if (given) refuse(where_, words::Sentence(N_("expected \"{}:\" once, got it again"), name));
  }

  void head_word(Word word, std::string_view value) {
    switch (word) {
      case Word::about: about(value); break;
      case Word::minutes:
        lesson_.minutes = read_whole_number(value, 1, kMostMinutes, where_);
        break;
      case Word::lab: lesson_.lab = value, lesson_.lab_line = where_.line; break;
      default: read_route(value, where_, lesson_);
    }
  }

  // It is read where there is no page.
  void about(std::string_view value) {
    lesson_.about = paragraph(value);
    for (const Piece& piece : lesson_.about.pieces) {
      if (piece.kind == Piece::Kind::plain || piece.kind == Piece::Kind::strong) continue;
      refuse_got(where_, words::Sentence(N_("a plain sentence after \"about:\"")), piece.text);
    }
  }

  void stop_word(Word word, std::string_view value) {
    switch (word) {
      case Word::lab:
        once(!stop_->lab.empty(), "lab");
        stop_->lab = value, stop_->lab_line = where_.line;
        break;
      case Word::preset:
        once(!stop_->preset.empty(), "preset");
        stop_->preset = value, stop_->preset_line = where_.line;
        break;
      case Word::set: read_settings(value, where_, stop_->sets); break;
      case Word::show: show(value); break;
      case Word::point:
        std::ranges::move(read_references(value, where_), std::back_inserter(stop_->points));
        break;
      case Word::travel: stop_->travels.push_back(read_travel(value, where_)); break;
      case Word::wait:
        once(stop_->wait.has_value(), "wait");
        stop_->wait = Stated{where_.line, read_condition(value, where_)};
        break;
      case Word::does: read_settings(value, where_, stop_->does); break;
      case Word::seen:
        once(!stop_->seen.empty(), "seen");
        stop_->seen = paragraph(value);
        break;
      case Word::source:
        for (const std::string_view one : between_bars(value)) {
          stop_->cites.push_back({where_.line, std::string(one)});
        }
        break;
      case Word::begins:
        stop_->begins.push_back({where_.line, read_condition(value, where_)});
        break;
      default: stop_->checks.push_back({where_.line, read_condition(value, where_)});
    }
  }

  void question_word(Word word, std::string_view value) {
    Question& q = *stop_->question;
    switch (word) {
      case Word::answer: kind(read_answer(value, where_)); break;
      case Word::click: kind(read_click(value, where_)); break;
      case Word::mark: kind(read_mark(value, where_)); break;
      case Word::draw: kind(read_draw(value, where_)); break;
      case Word::hide:
        std::ranges::move(read_references(value, where_), std::back_inserter(q.hides));
        break;
      case Word::reveal: read_settings(value, where_, q.reveals); break;
      case Word::travel: q.travels.push_back(read_travel(value, where_)); break;
      case Word::why:
        once(!q.why.empty(), "why");
        q.why = paragraph(value);
        break;
      default: q.checks.push_back({where_.line, read_condition(value, where_)});
    }
  }

  void show(std::string_view value) {
    constexpr std::string_view kAlone = " alone";
    stop_->alone = value.ends_with(kAlone);
    if (stop_->alone) value = trimmed(value.substr(0, value.size() - kAlone.size()));
    stop_->shows = Named{where_.line, read_reference(value, where_)};
    if (stop_->shows->is.kind != Kind::figure) {
      refuse_got(where_, words::Sentence(N_("a figure such as figure:weights")), value);
    }
  }
  // Questions -----------------------------------------------------------------------------------
  void begin_question() {
    end_paragraph();
    if (!stop_) {
      refuse_got(where_, words::Sentence(N_("a word of the lesson's head, or \"## \" and a title")),
                 line_);
    }
    if (asking()) {
      refuse_got(where_, words::Sentence(N_("one question in a stop")), line_);
    }
    stop_->question = Question{.line = where_.line};
    kind_line_ = 0;
    stop_->question->asked = paragraph(line_.substr(2));
  }

  void kind(AnswerKind asked) {
    if (kind_line_ > 0) {
      refuse(where_, words::Sentence(N_("expected one kind of answer, got a second one")));
    }
    kind_line_ = where_.line;
    stop_->question->kind = std::move(asked);
  }

  // "- [x] words", with what is said to who chooses it on the lines that go on; or "- answer:
  // words".
  void item() {
    end_paragraph();
    if (!asking()) {
      refuse_got(where_, words::Sentence(N_("a sentence: \"- \" is for questions only")), line_);
    }
    Question& q = *stop_->question;
    std::string_view rest = line_.substr(2);
    const bool right = rest.starts_with("[x] "), wrong = rest.starts_with("[ ] ");
    if (right || wrong) {
      if (kind_line_ == 0) kind(Choose{});
      auto* choose = std::get_if<Choose>(&q.kind);
      if (!choose) refuse_got(where_, words::Sentence(N_("- ANSWER: and a sentence")), line_);
      Option option{read_paragraph(trimmed(rest.substr(4)), where_), right};
      if (rest_.starts_with("  ")) option.said = paragraph("");
      choose->options.push_back(std::move(option));
      return;
    }
    mistake(rest, q);
  }
  void mistake(std::string_view rest, Question& q) {
    const std::size_t colon = rest.find(": ");
    if (colon == rest.npos) {
      refuse_got(where_, words::Sentence(N_("- [x], - [ ] or - ANSWER: and a sentence")), line_);
    }
    const std::string_view answer = trimmed(rest.substr(0, colon));
    Mistake one{.line = where_.line, .answer = std::string(answer), .said = {}};
    if (std::holds_alternative<TypeNumber>(q.kind) && kind_line_ > 0) {
      one.answer = read_expression(answer, where_);
    } else if (std::holds_alternative<Click>(q.kind) || std::holds_alternative<MarkAll>(q.kind)) {
      one.answer = read_elements(answer, where_).is;
    } else if (std::holds_alternative<Draw>(q.kind)) {
      const std::vector<std::string> shapes{"flat", "rising", "falling"};
      if (std::find(shapes.begin(), shapes.end(), answer) == shapes.end()) {
        refuse_unknown(where_, words::Sentence(N_("the shape of a curve")), answer, shapes);
      }
    } else {
      refuse_got(where_,
                 words::Sentence(N_("\"answer:\", \"click:\", \"mark:\" or \"draw:\" before "
                                    "its known mistakes")),
                 line_);
    }
    one.said = paragraph(rest.substr(colon + 2));
    q.mistakes.push_back(std::move(one));
  }

  void check_question() const {
    const Question& q = *stop_->question;
    const Where at{where_.file, q.line};
    if (kind_line_ == 0) {
      refuse(at, words::Sentence(N_("expected how the question is answered: options \"- [ ]\", "
                                    "\"answer:\", \"click:\", \"mark:\" or \"draw:\"")));
    }
    if (q.why.empty()) {
      refuse(at, words::Sentence(N_("expected \"why:\" and a sentence after the question")));
    }
    const auto* choose = std::get_if<Choose>(&q.kind);
    if (!choose) return;
    const auto right = std::count_if(choose->options.begin(), choose->options.end(),
                                     [](const Option& one) { return one.right; });
    if (choose->options.size() < 2 || right != 1) {
      refuse(at,
             words::Sentence(N_("expected two options or more, one of them right (- [x]), got {} "
                                "with {} right"),
                             choose->options.size(), right));
    }
  }

  std::string_view rest_, line_;
  Where where_;
  Lesson lesson_;
  std::optional<Stop> stop_;
  std::string text_;  // the paragraph that goes on
  int text_line_ = 0;
  int kind_line_ = 0;  // 0: it is not said yet how the question is answered
};

}  // namespace

Lesson parse(std::string_view text, const std::string& file) {
  if (text.size() > kMostBytes) {
    refuse({file, 1}, words::Sentence(N_("expected a lesson of at most {} bytes, got {}"),
                                      kMostBytes, text.size()));
  }
  constexpr std::string_view kMarkOfOrder = "\xef\xbb\xbf";
  if (text.starts_with(kMarkOfOrder)) text.remove_prefix(kMarkOfOrder.size());
  int line = 1;
  for (std::string_view rest = text; !rest.empty(); ++line) {
    if (core::invalid_utf8(param::taken_to('\n', rest))) {
      refuse({file, line}, words::Sentence(N_("expected text in UTF-8, got other bytes")));
    }
  }
  return Parser(text, file).whole();
}

}  // namespace lesson
