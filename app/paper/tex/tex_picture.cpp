#include "app/paper/tex/tex_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <utility>
#include <variant>

#include "app/figure/layout/minus.h"
#include "app/paper/places.h"
#include "app/paper/svg/svg_text.h"
#include "core/text/utf8.h"

namespace paper {
namespace {

using figure::draw::Text;

using Replaced = std::pair<std::string_view, std::string_view>;

// What TeX reads as something else.
constexpr std::array<Replaced, 13> kCommands = {{{"\\", "\\textbackslash{}"},
                                                 {"{", "\\{"},
                                                 {"}", "\\}"},
                                                 {"$", "\\ensuremath{\\mathdollar}"},
                                                 {"&", "\\&"},
                                                 {"#", "\\#"},
                                                 {"%", "\\%"},
                                                 {"_", "\\_"},
                                                 {"^", "\\textasciicircum{}"},
                                                 {"~", "\\textasciitilde{}"},
                                                 {"<", "\\textless{}"},
                                                 {">", "\\textgreater{}"},
                                                 {"|", "\\textbar{}"}}};

// Signs that pdfTeX's fonts for text lack, or that ligatures would change.
constexpr Replaced kSigns[] = {
    {"\"", "\\textquotedblright{}"},
    {"`", "\\textquoteleft{}"},
    {"“", "\\textquotedblleft{}"},
    {"”", "\\textquotedblright{}"},
    {"‘", "\\textquoteleft{}"},
    {"’", "\\textquoteright{}"},
    {"–", "\\textendash{}"},
    {"—", "\\textemdash{}"},
    {"…", "\\ldots{}"},
    {"·", "$\\cdot$"},
    {"×", "$\\times$"},
    {"÷", "$\\div$"},
    {"±", "$\\pm$"},
    {"−", "$-$"},
    {"√", "$\\surd$"},
    {"∞", "$\\infty$"},
    {"≤", "$\\leq$"},
    {"≥", "$\\geq$"},
    {"≠", "$\\neq$"},
    {"≈", "$\\approx$"},
    {"→", "$\\rightarrow$"},
    {"←", "$\\leftarrow$"},
    {"↑", "$\\uparrow$"},
    {"↓", "$\\downarrow$"},
    {"↔", "$\\leftrightarrow$"},
    {"⇒", "$\\Rightarrow$"},
    {"⇔", "$\\Leftrightarrow$"},
    {"↦", "$\\mapsto$"},
    {"⇥", "$\\rightarrow\\!\\vert$"},
    {"⏎", "$\\hookleftarrow$"},
    {"␣", "\\textvisiblespace{}"},
    {"✕", "$\\times$"},
    {"■", "\\rule{0.55em}{0.55em}"},
    {"━", "\\rule[0.5ex]{0.8em}{0.14em}"},
    {"─", "\\rule[0.5ex]{0.8em}{0.05em}"},
    {"▷", "$\\triangleright$"},
    {"▸", "$\\triangleright$"},
    {"►", "$\\triangleright$"},
    {"′", "$'$"},
    {"∂", "$\\partial$"},
    {"∇", "$\\nabla$"},
    {"∫", "$\\int$"},
    {"∑", "$\\sum$"},
    {"∏", "$\\prod$"},
    {"∈", "$\\in$"},
    {"∉", "$\\notin$"},
    {"∩", "$\\cap$"},
    {"∪", "$\\cup$"},
    {"∧", "$\\wedge$"},
    {"∨", "$\\vee$"},
    {"∀", "$\\forall$"},
    {"∃", "$\\exists$"},
    {"∅", "$\\emptyset$"},
    {"∝", "$\\propto$"},
    {"∼", "$\\sim$"},
    {"≡", "$\\equiv$"},
    {"≪", "$\\ll$"},
    {"≫", "$\\gg$"},
    {"⌈", "$\\lceil$"},
    {"⌉", "$\\rceil$"},
    {"⌊", "$\\lfloor$"},
    {"⌋", "$\\rfloor$"},
    {"⟨", "$\\langle$"},
    {"⟩", "$\\rangle$"},
    {"⋯", "$\\cdots$"},
    {"ℓ", "$\\ell$"},
    {"ȳ", "$\\bar{y}$"},
    {"∘", "$\\circ$"},
    {"⊙", "$\\odot$"},
    {"⊕", "$\\oplus$"},
    {"⊗", "$\\otimes$"},
    {"⊂", "$\\subset$"},
    {"⊆", "$\\subseteq$"},
    {"∗", "$\\ast$"},
    {"†", "$\\dagger$"},
    // Double-struck letters would need a package.
    {"ℝ", "$\\mathbf{R}$"},
    {"ℕ", "$\\mathbf{N}$"},
    {"ℤ", "$\\mathbf{Z}$"},
    {"ℂ", "$\\mathbf{C}$"},
    {"ℚ", "$\\mathbf{Q}$"},
    {"𝔼", "$\\mathbf{E}$"},
    {"ℙ", "$\\mathbf{P}$"},
    {"⁻", "$^{-}$"},
    {"⁰", "$^0$"},
    {"¹", "$^1$"},
    {"²", "$^2$"},
    {"³", "$^3$"},
    {"⁴", "$^4$"},
    {"⁵", "$^5$"},
    {"⁶", "$^6$"},
    {"⁷", "$^7$"},
    {"⁸", "$^8$"},
    {"⁹", "$^9$"},
    {"ᵀ", "$^T$"},
    {"ₖ", "$_k$"},
    {"₀", "$_0$"},
    {"₁", "$_1$"},
    {"₂", "$_2$"},
    {"₃", "$_3$"},
    {"₄", "$_4$"},
    {"₅", "$_5$"},
    {"₆", "$_6$"},
    {"₇", "$_7$"},
    {"₈", "$_8$"},
    {"₉", "$_9$"},
    {"°", "$^\\circ$"},
    {"α", "$\\alpha$"},
    {"β", "$\\beta$"},
    {"γ", "$\\gamma$"},
    {"δ", "$\\delta$"},
    {"ε", "$\\varepsilon$"},
    {"ζ", "$\\zeta$"},
    {"η", "$\\eta$"},
    {"θ", "$\\theta$"},
    {"ι", "$\\iota$"},
    {"κ", "$\\kappa$"},
    {"λ", "$\\lambda$"},
    {"μ", "$\\mu$"},
    {"µ", "$\\mu$"},
    {"ν", "$\\nu$"},
    {"ξ", "$\\xi$"},
    {"π", "$\\pi$"},
    {"ρ", "$\\rho$"},
    {"σ", "$\\sigma$"},
    {"τ", "$\\tau$"},
    {"φ", "$\\varphi$"},
    {"χ", "$\\chi$"},
    {"ψ", "$\\psi$"},
    {"ω", "$\\omega$"},
    {"Γ", "$\\Gamma$"},
    {"Δ", "$\\Delta$"},
    {"Θ", "$\\Theta$"},
    {"Λ", "$\\Lambda$"},
    {"Ξ", "$\\Xi$"},
    {"Π", "$\\Pi$"},
    {"Σ", "$\\Sigma$"},
    {"Φ", "$\\Phi$"},
    {"Ψ", "$\\Psi$"},
    {"Ω", "$\\Omega$"},
    {"‖", "$\\Vert$"},
    {"⊤", "$\\top$"},
};

std::string_view found_in(const auto& table, std::string_view text, std::string_view& by) {
  for (const auto& [sign, replacement] : table) {
    if (text.starts_with(sign)) return by = replacement, sign;
  }
  return {};
}

std::string tex_number(double value) { return svg_number(value); }

// A part of a color as it looks on white paper.
std::string share(std::uint8_t part, std::uint8_t opacity) {
  return tex_number(1 - (1 - part / 255.0) * opacity / 255.0);
}

// A letter behind which a bar over it stands.
bool is_barred(std::string_view text) {
  const auto c = static_cast<unsigned char>(text[0]);
  return c < 128 && std::isalpha(c) && text.substr(1).starts_with("\u0304");
}

// The document's own font: numbers and words alike.
std::string type_of(const Text& text, double size) {
  const figure::TextSpec spec = figure::text_spec(text.style);
  std::string out =
      fmt::format("\\fontsize{{{0}}}{{{1}}}", tex_number(size), tex_number(1.2 * size));
  if (spec.serif) out += "\\rmfamily";
  if (spec.bold) out += "\\bfseries";
  if (spec.italic) out += "\\itshape";
  return out + "\\selectfont";
}

}  // namespace

std::vector<Text> take_texts(Sheet& sheet) {
  std::vector<Text> texts;
  for (figure::Drawing& drawing : sheet.drawings) {
    std::erase_if(drawing.primitives, [&](const figure::Primitive& one) {
      const auto* text = std::get_if<Text>(&one);
      if (text && !text->text.empty() && finite(text->at)) texts.push_back(*text);
      return text != nullptr;
    });
  }
  return texts;
}

std::string tex_escape(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::string_view by;
    const std::string_view rest = std::string_view(text).substr(at);
    std::string_view sign = found_in(kCommands, rest, by);
    if (sign.empty()) sign = found_in(kSigns, rest, by);
    const auto c = static_cast<unsigned char>(text[at]);
    if (!sign.empty()) {
      out += by;
      at += sign.size();
    } else if (is_barred(rest)) {
      out += fmt::format("$\\bar{{{}}}$", rest[0]);
      at += 1 + std::string_view("\u0304").size();
    } else if (figure::parts::is_minus(text, at)) {
      out += "$-$";
      ++at;
    } else if (c < 32 || c == 127) {
      out += ' ';  // no end of a line, no tab
      ++at;
    } else {
      out += text[at++];
      // "--" would be one dash.
      if (c == '-' && at < text.size() && text[at] == '-') out += "{}";
    }
  }
  return out;
}

namespace {

// pdfTeX knows the letters of Latin-1 and Latin Extended-A; of others it would say one by one that
// they are not set up.
std::string needs_unicode(const std::vector<Text>& texts) {
  constexpr std::size_t kMostSigns = 6;
  std::vector<std::string> signs;
  for (const Text& text : texts) {
    const std::string escaped = tex_escape(text.text);
    for (std::size_t at = 0; at < escaped.size();) {
      const std::size_t begin = at;
      if (core::next_code_point(escaped, at) < 0x180) continue;
      std::string sign = escaped.substr(begin, at - begin);
      if (std::find(signs.begin(), signs.end(), sign) == signs.end())
        signs.push_back(std::move(sign));
    }
  }
  if (signs.empty()) return {};
  const bool more = signs.size() > kMostSigns;
  if (more) signs.resize(kMostSigns);
  return fmt::format(
      "\\ifx\\XeTeXversion\\undefined\\ifx\\directlua\\undefined\\errmessage{{attnscope: "
      "\\detokenize{{{}{}}} "
      "must be set by XeLaTeX or LuaLaTeX}}\\fi\\fi%\n",
      fmt::join(signs, " "), more ? " ..." : "");
}

}  // namespace

std::string tex_picture(const Sheet& sheet, const std::vector<Text>& texts, double points,
                        const std::string& pdf, const PaperMeasure& measure) {
  const double width = wide(sheet.width) * points, height = wide(sheet.height) * points;
  std::string out = fmt::format(
      "% A figure of attnscope: its text over {0}, which lies beside it.\n"
      "%   \\usepackage{{graphicx,color}} ... \\input{{this file}}\n"
      "% With \\def\\attnscopewidth{{0.8\\linewidth}} before it, it is as wide as that.\n"
      "\\begingroup%\n{3}"
      "\\ifx\\attnscopewidth\\undefined\\def\\attnscopescale#1{{#1}}%\n"
      "\\else\\def\\attnscopescale#1{{\\resizebox{{\\attnscopewidth}}{{!}}{{#1}}}}\\fi%\n"
      "\\attnscopescale{{\\setlength{{\\unitlength}}{{1bp}}\\setlength{{\\fboxsep}}{{0pt}}%\n"
      "\\begin{{picture}}({1},{2})%\n"
      "\\put(0,0){{\\includegraphics[width={1}bp,height={2}bp]{{{0}}}}}%\n",
      pdf, tex_number(width), tex_number(height), needs_unicode(texts));
  for (const Text& text : texts) {
    const figure::Point size = measure.size(text.text, text.style);
    // From the anchor to the baseline, along the turned text's own axes.
    const double down = wide(measure.ascent(text.style)) - wide(text.align_y) * wide(size.y);
    const double c = std::cos(wide(text.angle)), s = std::sin(wide(text.angle));
    const double x = (wide(text.at.x) - wide(sheet.origin.x) - s * down) * points;
    const double y = height - (wide(text.at.y) - wide(sheet.origin.y) + c * down) * points;
    const char* side = text.align_x < 0.25f ? "l" : text.align_x > 0.75f ? "r" : "c";
    std::string box = fmt::format(
        "\\makebox[0pt][{}]{{\\color[rgb]{{{},{},{}}}{} {}}}", side,
        share(text.color.r, text.color.a), share(text.color.g, text.color.a),
        share(text.color.b, text.color.a),
        type_of(text, wide(measure.font_size(text.style)) * points), tex_escape(text.text));
    if (text.angle != 0) {
      const double degrees = -wide(text.angle) * 180 / std::numbers::pi;
      box = fmt::format("\\rotatebox{{{}}}{{{}}}", tex_number(degrees), box);
    }
    out += fmt::format("\\put({},{}){{{}}}%\n", tex_number(x), tex_number(y), box);
  }
  return out + "\\end{picture}}%\n\\endgroup%\n";
}

}  // namespace paper
