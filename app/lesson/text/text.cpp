#include "app/lesson/text/text.h"

#include "app/param/reading.h"

namespace lesson {
namespace {

class TextReader {
 public:
  TextReader(std::string_view text, const Where& where) : text_(text), where_(where) {}

  std::vector<Piece> whole() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\' && at_ + 1 < text_.size() && is_special(text_[at_ + 1])) {
        plain_ += text_[at_ + 1];
        at_ += 2;
      } else if (text_.substr(at_).starts_with("**")) {
        strong();
      } else if (c == '[') {
        link();
      } else if (c == '{') {
        live();
      } else {
        plain_ += c;
        ++at_;
      }
    }
    flush();
    return std::move(pieces_);
  }

 private:
  static bool is_special(char c) {
    return c == '\\' || c == '*' || c == '[' || c == ']' || c == '{' || c == '}';
  }
  void flush() {
    if (!plain_.empty()) pieces_.push_back({.text = std::exchange(plain_, {})});
  }
  // What stands before `end`; it is taken away with it.
  std::string_view to(std::string_view end, std::string_view begun) {
    const std::size_t from = at_, found = text_.find(end, at_);
    if (found == text_.npos) {
      refuse(where_,
             words::Sentence(N_("expected {} after {}, got the end of the paragraph"), end, begun));
    }
    at_ = found + end.size();
    return text_.substr(from, found - from);
  }
  void strong() {
    at_ += 2;
    const std::string_view words = to("**", "**");
    flush();
    pieces_.push_back({.kind = Piece::Kind::strong, .text = std::string(words)});
  }
  void link() {
    ++at_;
    const std::string_view words = to("]", "[");
    if (at_ >= text_.size() || text_[at_] != '(') {
      refuse_got(where_, words::Sentence(N_("a name in parentheses after ]")), text_.substr(at_));
    }
    ++at_;
    const std::string_view target = to(")", "(");
    flush();
    pieces_.push_back({.kind = Piece::Kind::link,
                       .text = std::string(words),
                       .target = read_reference(target, where_)});
  }
  // {EXPRESSION} or {EXPRESSION ~3}, with three digits.
  void live() {
    ++at_;
    std::string_view inside = to("}", "{");
    Piece piece{.kind = Piece::Kind::live, .text = std::string(inside)};
    if (const std::size_t tilde = inside.find('~'); tilde != inside.npos) {
      const auto digits = param::whole<int>(param::trimmed(inside.substr(tilde + 1)));
      if (!digits || *digits < 1 || *digits > 17) {
        refuse_got(where_, words::Sentence(N_("a number of digits from 1 to 17 after ~")),
                   inside.substr(tilde + 1));
      }
      piece.digits = *digits;
      inside = inside.substr(0, tilde);
    }
    piece.value = read_expression(inside, where_);
    flush();
    pieces_.push_back(std::move(piece));
  }

  std::string_view text_;
  const Where& where_;
  std::size_t at_ = 0;
  std::string plain_;
  std::vector<Piece> pieces_;
};

// From the CJK radicals on: no blank stands between such characters. Of UTF-8 that is a first byte
// of E2 BA and above; what follows a first byte is below C0.
bool begins_wide(std::string_view text) {
  return text.size() >= 3 && static_cast<unsigned char>(text[0]) >= 0xE3;
}
bool ends_wide(std::string_view text) {
  return text.size() >= 3 && begins_wide(text.substr(text.size() - 3));
}

}  // namespace

Paragraph read_paragraph(std::string_view text, const Where& where) {
  return {where.line, TextReader(text, where).whole()};
}

std::string joined(std::string before, std::string_view next) {
  if (before.empty()) return std::string(next);
  if (!(ends_wide(before) || begins_wide(next))) before += ' ';
  return before.append(next);
}

std::vector<TextRun> text_of(const Paragraph& paragraph, const Sight& sight,
                             const words::Words& words) {
  std::vector<TextRun> all;
  for (const Piece& piece : paragraph.pieces) {
    TextRun one{.text = piece.text, .strong = piece.kind == Piece::Kind::strong};
    if (piece.kind == Piece::Kind::link) one.target = piece.target, one.link = true;
    if (piece.kind == Piece::Kind::live) {
      one.text = text_of(piece.value, piece.digits, sight, words);
      // A readout or a knob is itself what the number stands for.
      if (piece.value.does == Expression::Does::refer) one.target = piece.value.reference;
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::string plain(const std::vector<TextRun>& text_of) {
  std::string all;
  for (const TextRun& one : text_of) all += one.text;
  return all;
}

}  // namespace lesson
