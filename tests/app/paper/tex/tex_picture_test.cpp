#include "app/paper/tex/tex_picture.h"

#include <doctest/doctest.h>

#include <numbers>

#include "app/labs/labs.h"
#include "support.h"

namespace tex_picture_test {

namespace {

namespace draw = figure::draw;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("nothing in a text is a command") {
  CHECK(paper::tex_escape("50 % of a_b & {c} #1 $x$ ^2 ~ \\end") ==
        "50 \\% of a\\_b \\& \\{c\\} \\#1 \\ensuremath{\\mathdollar}x\\ensuremath{\\mathdollar} "
        "\\textasciicircum{}2 \\textasciitilde{} "
        "\\textbackslash{}end");
  CHECK(paper::tex_escape("<a|b> \"q\" it's") ==
        "\\textless{}a\\textbar{}b\\textgreater{} \\textquotedblright{}q\\textquotedblright{} "
        "it's");
  CHECK(paper::tex_escape("√d × θ → ∞ … −1") ==
        "$\\surd$d $\\times$ $\\theta$ $\\rightarrow$ $\\infty$ \\ldots{} $-$1");
  CHECK(paper::tex_escape("ℝ ⊗ ⊆") == "$\\mathbf{R}$ $\\otimes$ $\\subseteq$");
  for (const char c : paper::tex_escape("ℕℤℂℚ𝔼ℙ⊂∗†")) CHECK((c & 0x80) == 0);
  CHECK(paper::tex_escape("--") == "-{}-");
  CHECK(paper::tex_escape("a\nb\tc") == "a b c");
  CHECK(paper::tex_escape("头 é") == "头 é");
  CHECK(paper::tex_escape("C ✕2") == "C $\\times$2");
  CHECK(paper::tex_escape("-0.92 · -1, a-1, j - i, (-3)") ==
        "$-$0.92 $\\cdot$ $-$1, a-1, j - i, ($-$3)");
  CHECK(paper::tex_escape("x\u0304") == "$\\bar{x}$");
}

TEST_CASE("texts leave the drawing and stand in the picture on their baselines") {
  paper::Sheet sheet;
  sheet.width = 100, sheet.height = 50;
  figure::Drawing drawing;
  draw::Text text{{10, 20}, "a_b", figure::TextStyle::label, {255, 0, 0, 255}};
  draw::Text turned = text;
  turned.text = "t";
  turned.angle = static_cast<float>(std::numbers::pi / 2);
  turned.align_x = 1;
  turned.style = figure::TextStyle::mono_bold;
  drawing.primitives = {draw::Fill{{0, 0, 9, 9}, {}}, text, turned};
  sheet.drawings = {drawing};
  const auto texts = paper::take_texts(sheet);
  REQUIRE(texts.size() == 2);
  CHECK(sheet.drawings[0].primitives.size() == 1);
  const paper::PaperMeasure measure;
  const std::string tex = paper::tex_picture(sheet, texts, 0.75, "a.pdf", measure);
  CHECK(has(tex, "\\begin{picture}(75,37.5)"));
  CHECK(has(tex, "\\put(0,0){\\includegraphics[width=75bp,height=37.5bp]{a.pdf}}"));
  CHECK(has(tex, "\\put(7.5,"));
  CHECK(has(tex,
            "\\makebox[0pt][l]{\\color[rgb]{1,0,0}\\fontsize{9}{10.8}\\selectfont "
            "a\\_b}"));
  CHECK(has(tex, "\\rotatebox{-90}{\\makebox[0pt][r]{"));
  CHECK(has(tex, "\\bfseries\\selectfont t}"));
  CHECK_FALSE(has(tex, "errmessage"));
  // The baseline is below the middle of the line, and above its end.
  const double down = static_cast<double>(measure.ascent(text.style)) -
                      0.5 * static_cast<double>(measure.size("a_b", text.style).y);
  CHECK(down > 2);
  CHECK(down < 8);
  const std::size_t at = tex.find("\\put(7.5,") + 9;
  CHECK(std::stod(tex.substr(at)) == doctest::Approx(37.5 - 15 - 0.75 * down).epsilon(0.001));
}

TEST_CASE("what is pale is pale in TeX, and what pdfTeX cannot set is one sentence of it") {
  paper::Sheet sheet;
  sheet.width = 100, sheet.height = 50;
  const draw::Text pale{{1, 2}, "头 ☃", figure::TextStyle::label, {255, 0, 0, 51}};
  const std::string tex = paper::tex_picture(sheet, {pale}, 0.75, "a.pdf", paper::PaperMeasure());
  CHECK(has(tex, "\\color[rgb]{1,0.8,0.8}"));
  CHECK(has(tex, "attnscope: \\detokenize{头 ☃} must be set by XeLaTeX or LuaLaTeX"));
}

TEST_CASE("a figure for TeX is two files, the drawing without a word") {
  const test::Folder folder;
  lab::Page page;
  figure::Figure figure;
  figure.id = figure.title = "one";
  figure.plots.push_back(test::heatmap_plot("map", test::ramp(3, 3)));
  page.figures = {figure};
  paper::export_page(page, {}, {}, {}, folder.file("a.tex"));
  const std::string tex = folder.read("a.tex");
  const std::string pdf = folder.read("a.pdf");
  CHECK(has(tex, "{a.pdf}"));
  CHECK(has(tex, "selectfont one}"));
  CHECK(pdf.starts_with("%PDF-"));
  CHECK_FALSE(has(pdf, "/Font "));
  paper::export_page(page, {}, {}, {}, folder.file("b.pdf"));
  CHECK(has(folder.read("b.pdf"), "/Font"));
  CHECK_THROWS_AS(paper::export_page(page, {}, {}, {}, folder.file("a%b.tex")), core::InputError);
}

}  // namespace tex_picture_test
