#include "app/figure/formula/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include "core/types.h"

namespace figure::tex {
namespace {

constexpr int kDeepest = 64;  // nested groups

const std::map<std::string_view, std::string_view> kSymbols = {
    {"alpha", "α"},   {"beta", "β"},   {"gamma", "γ"},  {"delta", "δ"},  {"epsilon", "ε"},
    {"zeta", "ζ"},    {"eta", "η"},    {"theta", "θ"},  {"iota", "ι"},   {"kappa", "κ"},
    {"lambda", "λ"},  {"mu", "μ"},     {"nu", "ν"},     {"xi", "ξ"},     {"pi", "π"},
    {"rho", "ρ"},     {"sigma", "σ"},  {"tau", "τ"},    {"phi", "φ"},    {"chi", "χ"},
    {"psi", "ψ"},     {"omega", "ω"},  {"Gamma", "Γ"},  {"Delta", "Δ"},  {"Theta", "Θ"},
    {"Lambda", "Λ"},  {"Xi", "Ξ"},     {"Pi", "Π"},     {"Sigma", "Σ"},  {"Phi", "Φ"},
    {"Psi", "Ψ"},     {"Omega", "Ω"},  {"sum", "Σ"},    {"prod", "∏"},   {"infty", "∞"},
    {"partial", "∂"}, {"nabla", "∇"},  {"top", "⊤"},    {"prime", "′"},  {"dots", "…"},
    {"ldots", "…"},   {"cdots", "⋯"},  {"forall", "∀"}, {"exists", "∃"}, {"emptyset", "∅"},
    {"lfloor", "⌊"},  {"rfloor", "⌋"}, {"lceil", "⌈"},  {"rceil", "⌉"},  {"langle", "⟨"},
    {"rangle", "⟩"},  {"Vert", "‖"},   {"ell", "ℓ"},    {"{", "{"},      {"}", "}"},
    {"lvert", "|"},   {"rvert", "|"},  {"lVert", "‖"},  {"rVert", "‖"},  {"varepsilon", "ε"},
    {"varphi", "φ"},  {"ast", "∗"},    {"dagger", "†"}, {"%", "%"},      {"_", "_"},
    {"&", "&"},       {"#", "#"},      {"$", "$"}};

const std::map<std::string_view, std::string_view> kBinary = {{"cdot", "·"},
                                                              {"times", "×"},
                                                              {"circ", "∘"},
                                                              {"odot", "⊙"},
                                                              {"oplus", "⊕"},
                                                              {"pm", "±"},
                                                              {"le", "≤"},
                                                              {"ge", "≥"},
                                                              {"ne", "≠"},
                                                              {"approx", "≈"},
                                                              {"equiv", "≡"},
                                                              {"sim", "∼"},
                                                              {"in", "∈"},
                                                              {"notin", "∉"},
                                                              {"to", "→"},
                                                              {"mapsto", "↦"},
                                                              {"ll", "≪"},
                                                              {"gg", "≫"},
                                                              {"mid", "|"},
                                                              {"propto", "∝"},
                                                              {"cup", "∪"},
                                                              {"cap", "∩"},
                                                              {"land", "∧"},
                                                              {"lor", "∨"},
                                                              {"Leftrightarrow", "⇔"},
                                                              {"Rightarrow", "⇒"},
                                                              {"leq", "≤"},
                                                              {"geq", "≥"},
                                                              {"neq", "≠"},
                                                              {"rightarrow", "→"},
                                                              {"leftarrow", "←"},
                                                              {"otimes", "⊗"},
                                                              {"subset", "⊂"},
                                                              {"subseteq", "⊆"}};

constexpr std::string_view kOperators[] = {
    "softmax", "sigmoid", "tanh", "exp",  "log",  "ln",    "sin",    "cos",   "max",
    "min",     "argmax",  "relu", "gelu", "sign", "round", "concat", "clip",  "mod",
    "diag",    "Re",      "Im",   "LN",   "FFN",  "PE",    "MHA",    "score", "Var",
    "lim",     "sup",     "inf",  "arg",  "det",  "Pr",    "tan",    "cosh",  "sinh"};

// Words stand upright whatever TeX calls them.
constexpr std::string_view kWords[] = {"text", "textrm", "mathrm", "operatorname"};

const std::map<std::string_view, std::string_view> kBlackboard = {
    {"R", "ℝ"}, {"N", "ℕ"}, {"Z", "ℤ"}, {"C", "ℂ"}, {"Q", "ℚ"}, {"E", "𝔼"}, {"P", "ℙ"}};

const std::map<std::string_view, Role> kColors = {{"Q", Role::query},
                                                  {"K", Role::key},
                                                  {"V", Role::value},
                                                  {"accent", Role::accent},
                                                  {"dim", Role::dim}};

const std::map<std::string_view, float> kSpaces = {
    {",", 0.17f}, {";", 0.28f}, {" ", 0.28f}, {"quad", 1.0f}, {"!", -0.17f}};

Node leaf(Kind kind, std::string_view text) {
  Node node;
  node.kind = kind;
  node.text = text;
  return node;
}

Node space(float width) {
  Node node;
  node.kind = Kind::space;
  node.width = width;
  return node;
}

class Parser {
 public:
  explicit Parser(const std::string& source) : source_(source) {}

  Node whole() {
    Node row = sequence();
    if (!done()) fail(peek() == '}' ? "\"}\" without its \"{\"" : "\\right without its \\left");
    return row;
  }

 private:
  bool done() const { return at_ >= source_.size(); }
  char peek() const { return source_[at_]; }

  [[noreturn]] void fail(const std::string& what) const {
    throw core::InputError(fmt::format("formula, character {}: {}", at_ + 1, what));
  }

  bool at_right() const {
    return source_.compare(at_, 6, "\\right") == 0 &&
           (at_ + 6 >= source_.size() ||
            !std::isalpha(static_cast<unsigned char>(source_[at_ + 6])));
  }

  void skip_spaces() {
    while (!done() && (peek() == ' ' || peek() == '\n' || peek() == '\t')) ++at_;
  }

  // Up to a closing brace, a \right or the end.
  Node sequence() {
    if (++depth_ > kDeepest) fail("groups nested too deeply");
    Node row;
    for (skip_spaces(); !done() && peek() != '}' && !at_right(); skip_spaces()) {
      if (peek() == '^' || peek() == '_') {
        script(row);
      } else {
        row.parts.push_back(atom());
      }
    }
    --depth_;
    return row;
  }

  void script(Node& row) {
    if (row.parts.empty()) fail(fmt::format("\"{}\" with nothing before it", peek()));
    if (row.parts.back().kind != Kind::scripts) {
      Node node;
      node.kind = Kind::scripts;
      node.parts = {std::move(row.parts.back()), Node(), Node()};
      row.parts.back() = std::move(node);
    }
    Node& slot = row.parts.back().parts[peek() == '^' ? 1 : 2];
    if (!slot.parts.empty()) fail(fmt::format("a second \"{}\" on one thing", peek()));
    ++at_;
    slot.parts.push_back(argument());
  }

  // A group, or one thing.
  Node argument() {
    skip_spaces();
    if (done() || peek() == '}' || peek() == '^' || peek() == '_' || at_right()) {
      fail("expected something in braces or one letter");
    }
    return peek() == '{' ? group() : atom();
  }

  Node group() {
    skip_spaces();
    if (done() || peek() != '{') fail("expected \"{\"");
    const std::size_t opened = at_++;
    Node inside = sequence();
    if (done() || peek() != '}') {
      at_ = opened;
      fail("\"{\" without its \"}\"");
    }
    ++at_;
    return inside;
  }

  Node atom() {
    const char c = peek();
    if (c == '{') return group();
    if (c == '\\') return command();
    if (std::isdigit(static_cast<unsigned char>(c))) return number();
    const std::string_view letter = code_point();
    if (std::isalpha(static_cast<unsigned char>(c))) return leaf(Kind::letter, letter);
    if (c == '-') return leaf(Kind::binary, "−");
    if (c == '~') return space(0.28f);
    if (c == '\'') return leaf(Kind::upright, "′");
    if (letter.size() == 1 && std::string_view("+=<>").find(c) != std::string_view::npos) {
      return leaf(Kind::binary, letter);
    }
    for (const auto& [name, sign] : kBinary) {
      if (letter == sign && name != "mid") return leaf(Kind::binary, letter);
    }
    return leaf(Kind::upright, letter);
  }

  Node number() {
    const std::size_t begin = at_;
    const auto digit = [&](std::size_t k) {
      return k < source_.size() && std::isdigit(static_cast<unsigned char>(source_[k]));
    };
    while (digit(at_) || (!done() && peek() == '.' && digit(at_ + 1))) ++at_;
    return leaf(Kind::upright, std::string_view(source_).substr(begin, at_ - begin));
  }

  std::string_view code_point() {
    const std::size_t begin = at_++;
    while (!done() && (static_cast<unsigned char>(peek()) & 0xC0) == 0x80) ++at_;
    return std::string_view(source_).substr(begin, at_ - begin);
  }

  std::string_view command_name() {
    const std::size_t begin = ++at_;
    if (done()) {
      --at_;
      fail("\"\\\" with no name after it");
    }
    while (!done() && std::isalpha(static_cast<unsigned char>(peek()))) ++at_;
    if (at_ == begin) ++at_;  // \, and \{ are one sign long
    return std::string_view(source_).substr(begin, at_ - begin);
  }

  Node command() {
    const std::size_t begin = at_;
    const std::string_view name = command_name();
    if (name == "frac") return build(Kind::fraction, 2);
    if (name == "sqrt") return build(Kind::root, 1);
    if (name == "bar" || name == "overline") return build(Kind::overline, 1);
    if (name == "hat" || name == "tilde") return accent(name);
    if (std::ranges::find(kWords, name) != std::end(kWords)) return words();
    if (name == "mathbb") return blackboard();
    if (name == "left") return fenced(begin);
    if (const auto found = kColors.find(name); found != kColors.end()) {
      Node node = build(Kind::colored, 1);
      node.role = found->second;
      return node;
    }
    if (const auto found = kSymbols.find(name); found != kSymbols.end()) {
      return leaf(Kind::upright, found->second);
    }
    if (const auto found = kBinary.find(name); found != kBinary.end()) {
      return leaf(Kind::binary, found->second);
    }
    if (const auto found = kSpaces.find(name); found != kSpaces.end()) return space(found->second);
    for (const std::string_view known : kOperators) {
      if (name == known) return leaf(Kind::upright, name);
    }
    at_ = begin;
    fail(fmt::format("unknown command \\{}", name));
  }

  Node build(Kind kind, int groups) {
    Node node;
    node.kind = kind;
    for (int k = 0; k < groups; ++k) node.parts.push_back(group());
    return node;
  }

  Node accent(std::string_view name) {
    Node node = build(Kind::accent, 1);
    node.text = name;
    return node;
  }

  Node words() {
    skip_spaces();
    if (done() || peek() != '{') fail("expected \"{\"");
    const std::size_t end = source_.find('}', at_);
    if (end == std::string::npos) fail("\"{\" without its \"}\"");
    const std::string_view text = std::string_view(source_).substr(at_ + 1, end - at_ - 1);
    if (const std::size_t sign = text.find('\\'); sign != text.npos) {
      at_ += 1 + sign;
      fail("a command in a text");
    }
    at_ = end + 1;
    return leaf(Kind::upright, text);
  }

  Node blackboard() {
    const std::size_t begin = at_;
    const Node letter = words();
    const auto found = kBlackboard.find(letter.text);
    if (found == kBlackboard.end()) {
      at_ = begin;
      fail("expected one of R, N, Z, C, Q, E, P in \\mathbb");
    }
    return leaf(Kind::upright, found->second);
  }

  // One fence: a sign, "." for none, or a command such as \lfloor.
  std::string fence() {
    skip_spaces();
    if (done()) fail("expected a bracket");
    if (peek() != '\\') {
      const std::string_view sign = code_point();
      return sign == "." ? std::string() : std::string(sign);
    }
    const std::size_t begin = at_;
    const auto found = kSymbols.find(command_name());
    if (found == kSymbols.end()) {
      at_ = begin;
      fail("expected a bracket");
    }
    return std::string(found->second);
  }

  Node fenced(std::size_t begin) {
    Node node;
    node.kind = Kind::fenced;
    node.text = fence();
    node.parts.push_back(sequence());
    if (done() || !at_right()) {
      at_ = begin;
      fail("\\left without its \\right");
    }
    at_ += 6;
    node.right = fence();
    return node;
  }

  const std::string& source_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Node parse(const std::string& source) { return Parser(source).whole(); }

}  // namespace figure::tex
