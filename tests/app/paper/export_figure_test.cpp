#include "app/paper/export_figure.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <random>

#include "app/paper/file/session_carrier.h"
#include "app/system/atomic_file.h"
#include "support.h"
#include "variable.h"

namespace export_figure_test {

namespace {

using paper::PaperOptions;

const std::string kSession =
    R"({"attnscope":1,"lab":"knobs","values":{"text":"河岸 🙂 \"q\" <&> ]]> \\ 'a'"},"views":{}})";

PaperOptions options(const std::string& session = kSession) {
  PaperOptions o;
  o.session = session;
  o.parameters = "heads = 8, d_model = 64";
  return o;
}

template <class Error>
std::string refusal(const PaperOptions& o, const std::vector<std::string>& ids,
                    const std::filesystem::path& out) {
  try {
    paper::export_page(test::heatmap_page(), ids, {}, o, out);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a PNG has the size that was asked for, on the theme's card") {
  for (const auto name : {figure::ThemeName::light, figure::ThemeName::dark}) {
    PaperOptions o = options();
    o.theme = name;
    const test::Picture natural =
        test::decode_png(paper::render_png(test::heatmap_page(), {}, {}, o));
    CHECK(natural.width == 1000);
    CHECK(natural.height > 320);
    CHECK(natural.height < 480);
    CHECK(natural.at(0, 0) == figure::theme(name).card);
    int marked = 0;
    for (int y = 0; y < natural.height; ++y) {
      for (int x = 0; x < natural.width; ++x) {
        marked += !(natural.at(x, y) == figure::theme(name).card);
      }
    }
    CHECK(marked > 5000);
    o.scale = 2;
    const test::Picture twice =
        test::decode_png(paper::render_png(test::heatmap_page(), {}, {}, o));
    CHECK(twice.width == 2 * natural.width);
    CHECK(twice.height == 2 * natural.height);
    o.scale = 1.5f;
    o.width = 800;
    o.height = 600;
    const test::Picture given =
        test::decode_png(paper::render_png(test::heatmap_page(), {}, {}, o));
    CHECK(given.width == 1200);
    CHECK(given.height == 900);
  }
}

TEST_CASE("without a caption the page is lower") {
  PaperOptions o = options();
  const int with = test::decode_png(paper::render_png(test::heatmap_page(), {}, {}, o)).height;
  o.caption = false;
  const int without = test::decode_png(paper::render_png(test::heatmap_page(), {}, {}, o)).height;
  CHECK(without < with - 30);
}

TEST_CASE("the session comes back from all four kinds of file") {
  const test::Folder folder;
  std::string session = kSession;
  SUBCASE("short") {}
  SUBCASE("odd characters") {
    session =
        "{\"attnscope\":1,\"text\":\"\xef\xbb\xbf \xe2\x80\xa8 \xf0\x9d\x94\xb8 \\u0000 \\ud83d\"}";
    session.replace(session.find("\\ud83d"), 6, "\\u0007");
  }
  SUBCASE("a megabyte") {
    std::string text;
    while (text.size() < 1'000'000) text += "the river bank 河岸 🙂 ";
    session = R"({"attnscope":1,"text":")" + text + R"("})";
  }
  for (const char* name : {"a.png", "a.svg", "a.pdf", "A.PNG", "a.json"}) {
    paper::export_page(test::heatmap_page(), {}, {}, options(session), folder / name);
    CHECK(paper::read_session(folder / name) == session);
  }
  test::write(folder / "a.attn", session);
  CHECK(paper::read_session(folder / "a.attn") == session);
  // Told apart by content: a wrong ending does not matter.
  std::filesystem::rename(folder / "a.png", folder / "renamed.svg");
  CHECK(paper::read_session(folder / "renamed.svg") == session);
}

TEST_CASE("characters that XML forbids come back as JSON's escapes") {
  const test::Folder folder;
  paper::export_page(test::heatmap_page(), {}, {},
                     options("{\"attnscope\":1,\"t\":\"\xef\xbf\xbf\xef\xbf\xbe\"}"),
                     folder / "a.svg");
  CHECK(paper::read_session(folder / "a.svg") == R"({"attnscope":1,"t":"\uffff\ufffe"})");
}

TEST_CASE("one plot or figure alone; unknown ones are refused with the known") {
  const test::Folder folder;
  const test::Picture one =
      test::decode_png(paper::render_png(test::heatmap_page(), {"weights"}, {}, options()));
  CHECK(one.width == 500);  // one of two side by side
  lab::Page narrow = test::heatmap_page();
  narrow.figures[0].span = 7;
  CHECK(test::decode_png(paper::render_png(narrow, {"steps"}, {}, options())).width == 583);
  narrow.figures[0].span = 2;
  CHECK(test::decode_png(paper::render_png(narrow, {"steps"}, {}, options())).width == 480);
  const std::string message = refusal<core::InputError>(options(), {"wieghts"}, folder / "a.png");
  CHECK(has(message, "\"wieghts\""));
  CHECK(has(message, "steps, scores, weights"));
  CHECK(folder.files() == 0);
}

TEST_CASE("what cannot be made is said and leaves no file") {
  const test::Folder folder;
  CHECK(has(refusal<core::InputError>(options(), {}, folder / "a.gif"), ".png, .svg, .pdf"));
  CHECK(has(refusal<core::InputError>(options(), {}, folder / "noending"), ".png, .svg, .pdf"));
  PaperOptions o = options();
  o.scale = 0;
  CHECK(has(refusal<core::InputError>(o, {}, folder / "a.png"), "scale"));
  o.scale = std::nanf("");
  CHECK(has(refusal<core::InputError>(o, {}, folder / "a.png"), "scale"));
  o = options();
  o.width = 20;
  CHECK(has(refusal<core::InputError>(o, {}, folder / "a.png"), "at least"));
  o.width = 1000;
  o.height = 50;
  CHECK(has(refusal<core::InputError>(o, {}, folder / "a.pdf"), "at least"));
  o.height = -1;
  CHECK(has(refusal<core::InputError>(o, {}, folder / "a.pdf"), "size"));
  o.width = o.height = 30000;
  CHECK(has(refusal<core::InputError>(o, {}, folder / "a.png"), "too large"));
  CHECK(has(refusal<sys::IoError>(options(), {}, folder / "none" / "a.png"), "no such file"));
  CHECK_THROWS_AS(paper::export_page({}, {}, {}, options(), folder / "a.png"), core::InputError);
  CHECK(folder.files() == 0);
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

TEST_CASE("a PDF has its text as text, its fonts inside and its metadata") {
  if (std::system("command -v pdftotext pdffonts pdfinfo >/dev/null") != 0) {
    MESSAGE("SKIPPED: pdftotext, pdffonts and pdfinfo (poppler-utils) are not installed");
    return;
  }
  const test::Folder folder;
  PaperOptions o = options();
  o.title = "Multi-head 多头";
  paper::export_page(test::heatmap_page(), {}, {}, o, folder / "a.pdf");
  const std::string file = (folder / "a.pdf").string();
  const std::string text = output_of("pdftotext -layout " + file + " -");
  CHECK(has(text, "Step by step"));
  CHECK(has(text, "列是键"));
  CHECK(has(text, "heads = 8, d_model = 64"));
  const std::string fonts = output_of("pdffonts " + file);
  CHECK(has(fonts, "Inter-Regular"));
  CHECK(has(fonts, "NotoSansCJK"));
  CHECK_FALSE(has(fonts, " no  "));  // embedded, subset, with a map to Unicode
  const std::string info = output_of("pdfinfo " + file);
  CHECK(has(info, "Multi-head 多头"));
  CHECK(has(info, "attnscope-session:"));
}

TEST_CASE("the same page is the same PDF, with no date but the one that is asked for") {
  const test::Folder folder;
  const auto written = [&](const char* seconds) {
    const test::Variable date("SOURCE_DATE_EPOCH", seconds);
    paper::export_page(test::heatmap_page(), {}, {}, options(), folder / "a.pdf");
    return test::read(folder / "a.pdf");
  };
  const std::string undated = written(nullptr);
  CHECK_FALSE(has(undated, "CreationDate"));
  CHECK_FALSE(has(undated, "ModDate"));
  const std::string dated = written("1700000000");
  CHECK(has(dated, "20231114221320Z"));
  CHECK(has(written("0"), "19700101000000Z"));
  CHECK(written("1700000000") == dated);
  CHECK(written("") == undated);
  for (const char* wrong : {"yesterday", "-1", "1e9", "253402300800"}) {
    CAPTURE(wrong);
    const test::Variable date("SOURCE_DATE_EPOCH", wrong);
    CHECK(refusal<core::InputError>(options(), {}, folder / "a.pdf") ==
          std::string("SOURCE_DATE_EPOCH: expected seconds since 1970, from 0 to 253402300799, got "
                      "\"") +
              wrong + "\"");
  }
}

TEST_CASE("an SVG says what it is in text, and its cells meet") {
  const test::Folder folder;
  paper::export_page(test::heatmap_page(), {}, {}, options(), folder / "a.svg");
  const std::string svg = test::read(folder / "a.svg");
  CHECK(has(svg, "<title xml:lang=\"en\">Step by step</title>"));
  CHECK(has(svg, "Rows are queries, 列是键。"));
  CHECK(has(svg, "&lt;&amp;&gt; ]]&gt;"));
  CHECK_FALSE(has(svg, "<image"));
  lab::Page large;
  figure::Figure figure;
  figure.id = "large";
  figure.plots.push_back(test::heatmap_plot("map", test::ramp(100, 100)));
  large.figures.push_back(figure);
  paper::export_page(large, {}, {}, options(), folder / "b.svg");
  CHECK(has(test::read(folder / "b.svg"), "<image style=\"image-rendering:"));
}

TEST_CASE("an SVG's text is text, or shapes where that is asked for") {
  const test::Folder folder;
  PaperOptions o = options();
  o.paper_width = 240;
  paper::export_page(test::heatmap_page(), {}, {}, o, folder / "a.svg");
  const std::string text = test::read(folder / "a.svg");
  CHECK(has(text, "width=\"240pt\""));
  CHECK(has(text, ">Step by step</text>"));
  CHECK(has(text, "font-family=\"Inter, "));
  CHECK(has(text, "font-size=\"8\""));
  CHECK_FALSE(has(text, "id=\"glyph"));
  o.outlines = true;
  paper::export_page(test::heatmap_page(), {}, {}, o, folder / "b.svg");
  const std::string shapes = test::read(folder / "b.svg");
  CHECK_FALSE(has(shapes, "<text"));
  CHECK(has(shapes, "id=\"glyph"));
}

TEST_CASE("paper of a given width has that many pixels, whatever the type") {
  PaperOptions o = options();
  o.paper_width = 72;
  o.dpi = 300;
  const auto size = [&] {
    return test::decode_png(paper::render_png(test::heatmap_page(), {"weights"}, {}, o));
  };
  CHECK(size().width == 300);
  const int higher = size().height;
  o.font = 6;
  CHECK(size().width == 300);
  CHECK(size().height < higher);  // smaller type needs less room
  o.paper_height = 144;
  CHECK(size().height == 600);
  o.paper_height = 20;
  const test::Folder folder;
  const std::string message = refusal<core::InputError>(o, {"weights"}, folder / "a.png");
  CHECK(has(message, "a height of 7.1 mm is too small"));
  o.paper_height = 0;
  o.crop = true;
  CHECK(size().width <= 300);
  o.crop = false;
  const int all = size().height;
  o.caption = o.parameter_line = false;
  const int bare = size().height;
  CHECK(bare < all - 50);
  o.heading = false;
  CHECK(size().height < bare - 30);
}

// What reading makes of damaged bytes: a session or one sentence, nothing else.
bool survives(const std::string& bytes) {
  try {
    return !paper::session_in(bytes, "a file").empty();
  } catch (const core::InputError& error) {
    return has(error.what(), "a file");
  }
}

TEST_CASE("files cut short or changed at any place give a session or a sentence") {
  const test::Folder folder;
  lab::Page small;
  figure::Figure figure;
  figure.id = "small";
  figure.height = 80;
  figure.plots.push_back(test::heatmap_plot("map", test::ramp(2, 2)));
  small.figures.push_back(figure);
  PaperOptions o = options();
  o.width = 120;
  o.caption = false;
  for (const char* name : {"a.png", "a.svg", "a.pdf", "a.attn"}) {
    const std::string ending = std::filesystem::path(name).extension().string();
    if (ending == ".attn") {
      test::write(folder / name, kSession);
    } else {
      paper::export_page(small, {}, {}, o, folder / name);
    }
    const std::string whole = test::read(folder / name);
    REQUIRE(paper::session_in(whole, name) == kSession);
    int bad = 0;
    for (std::size_t length = 0; length < whole.size(); ++length) {
      bad += !survives(whole.substr(0, length));
    }
    std::mt19937 random(1);
    for (int k = 0; k < 2000; ++k) {
      std::string changed = whole;
      changed[random() % changed.size()] = static_cast<char>(random());
      if (k % 2) changed[random() % std::min<std::size_t>(changed.size(), 600)] ^= 0x10;
      bad += !survives(changed);
    }
    CHECK(bad == 0);
  }
}

TEST_CASE("files that are not ours") {
  const test::Folder folder;
  const auto message = [&](const std::string& bytes) {
    test::write(folder / "x", bytes);
    try {
      paper::read_session(folder / "x");
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(has(message(""), "neither a session"));
  CHECK(has(message("hello"), "neither a session"));
  CHECK(has(message("{}"), "it has no member \"attnscope\""));
  CHECK(has(message("{\"lab\":1}"), "it has no member \"attnscope\""));
  CHECK(has(message("<svg></svg>"), "neither a session"));
  CHECK(has(message("%PDF-1.4\n%%EOF"), "neither a session"));
  CHECK(has(message("%PDF-1.4 attnscope-session:AAAA)"), "x: it is not valid JSON"));
  CHECK(has(message("\x89PNG\r\n\x1a\n"), "cut short"));
  CHECK(has(message(std::string("\0\0\0\0", 4)), "neither a session"));
  PaperOptions o = options("");
  paper::export_page(test::heatmap_page(), {}, {}, o, folder / "none.png");
  CHECK_THROWS_AS(paper::read_session(folder / "none.png"), core::InputError);
  CHECK_THROWS_AS(paper::read_session(folder / "missing.png"), sys::IoError);
  CHECK_THROWS_AS(paper::read_session(folder.path()), sys::IoError);
}

}  // namespace

}  // namespace export_figure_test
