#include "app/lesson/handout/handout_markup.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "app/paper/export_figure.h"
#include "app/system/atomic_file.h"
#include "app/words/sentence.h"
#include "core/random.h"
#include "core/text/printable.h"

namespace lesson {
namespace {

namespace fs = std::filesystem;

std::string svg_of(const figure::Figure& figure, const std::string& session,
                   words::Language language) {
  lab::Page page;
  page.figures = {figure};
  paper::PaperOptions options;
  options.language = language;
  options.caption = false;
  options.session = session;
  // There is no drawing into memory: it goes by way of a file.
  const fs::path file = fs::temp_directory_path() /
                        fmt::format("attnscope-handout-{:016x}.svg", core::hash64(session));
  paper::export_page(page, {figure.id}, {}, options, file);
  std::ostringstream svg;
  svg << std::ifstream(file, std::ios::binary).rdbuf();
  std::error_code ignored;
  fs::remove(file, ignored);
  return svg.str();
}

// A text with marks in it: what is strong stands between two of them.
class TextMarkup : public Markup {
 protected:
  TextMarkup(std::string_view before_strong, std::string_view after_strong)
      : before_strong_(before_strong), after_strong_(after_strong) {}

  // As it stands between marks, none of which it may hold.
  virtual std::string escaped(const std::string& plain) const = 0;
  std::string marked(const Parts& parts) const {
    std::string all;
    for (const paper::Part& one : parts) {
      const std::string text = escaped(one.text);
      all += one.strong ? fmt::format("{}{}{}", before_strong_, text, after_strong_) : text;
    }
    return all;
  }

  std::string all_;

 private:
  std::string_view before_strong_, after_strong_;
};

class Markdown final : public TextMarkup {
 public:
  Markdown(fs::path out, words::Language language)
      : TextMarkup("**", "**"), out_(std::move(out)), language_(language) {}

  void heading(int level, const std::string& text) override {
    all_ += std::string(static_cast<std::size_t>(level), '#') + " " + escaped(text) + "\n\n";
  }
  void paragraph(const Parts& parts) override { all_ += marked(parts) + "\n\n"; }
  void question(const Parts& parts) override { all_ += "> " + marked(parts) + "\n\n"; }
  void item(const Parts& parts, Sign sign) override {
    all_ += (sign == Sign::box ? "- [ ] " : "- ") + marked(parts) + "\n";
  }
  void blank() override { all_ += "\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\n"; }
  void end_items() override { all_ += "\n"; }
  void picture(const figure::Figure& figure, const std::string& caption,
               const std::string& session) override {
    const std::string name = fmt::format("{}-{}.svg", out_.stem().string(), ++pictures_);
    beside_.emplace_back(out_.parent_path() / name, svg_of(figure, session, language_));
    all_ += fmt::format("![{}]({})\n\n", escaped(figure.title), name);
    if (!caption.empty()) all_ += fmt::format("*{}*\n\n", escaped(caption));
  }
  std::string whole() const override { return all_; }
  const Beside& beside() const override { return beside_; }

 private:
  std::string escaped(const std::string& plain) const override {
    std::string all;
    for (const char c : plain) {
      if (std::string_view("\\*[]{}<>_`|#").find(c) != std::string_view::npos) all += '\\';
      all += c;
    }
    return all;
  }

  fs::path out_;
  words::Language language_;
  int pictures_ = 0;
  Beside beside_;
};

// RFC 4648, section 4.
std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string all;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    unsigned group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (k + i < bytes.size() ? static_cast<unsigned char>(bytes[k + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      all += k + i > bytes.size() ? '=' : kLetters[group >> (18 - 6 * i) & 63U];
    }
  }
  return all;
}

constexpr std::string_view kStyle = R"(
body { font: 11pt/1.55 Inter, "Noto Sans CJK SC", sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color: #1c2430; }
h1 { font-size: 1.7em; line-height: 1.25; } h2 { font-size: 1.2em; margin-top: 2em; }
.question { border-left: 3px solid #9a6212; padding-left: .8em; font-weight: 600; margin: 1.2em 0 .6em; }
.blank { border-bottom: 1px solid #5b6675; width: 14em; height: 1.6em; margin: 0 0 1em .8em; }
ul { padding-left: 1.6em; } ul.boxes { list-style: none; padding-left: 1em; } ul.boxes li::before { content: "☐"; margin-right: .6em; color: #5b6675; }
li { margin: .25em 0; overflow-wrap: anywhere; }
figure { margin: 1.2em 0; break-inside: avoid; } img { max-width: 100%; display: block; }
figcaption { color: #5b6675; font-size: .85em; margin-top: .3em; }
h1, h2, .question { break-after: avoid; } .page { break-before: page; }
@page { size: A4; margin: 18mm; } @media print { body { margin: 0; max-width: none; padding: 0; } }
)";

class Html final : public TextMarkup {
 public:
  Html(std::string title, words::Language language)
      : TextMarkup("<strong>", "</strong>"), title_(std::move(title)), language_(language) {}

  void heading(int level, const std::string& text) override {
    all_ += fmt::format("<h{0}>{1}</h{0}>\n", level, escaped(text));
  }
  void paragraph(const Parts& parts) override { all_ += "<p>" + marked(parts) + "</p>\n"; }
  void question(const Parts& parts) override {
    all_ += "<p class=\"question\">" + marked(parts) + "</p>\n";
  }
  void item(const Parts& parts, Sign sign) override {
    if (!items_) all_ += sign == Sign::box ? "<ul class=\"boxes\">\n" : "<ul>\n";
    items_ = true;
    all_ += "<li>" + marked(parts) + "</li>\n";
  }
  void blank() override { all_ += "<p class=\"blank\"></p>\n"; }
  void new_page() override { all_ += "<div class=\"page\"></div>\n"; }
  void end_items() override {
    if (items_) all_ += "</ul>\n";
    items_ = false;
  }
  void picture(const figure::Figure& figure, const std::string& caption,
               const std::string& session) override {
    all_ += fmt::format("<figure><img alt=\"{}\" src=\"data:image/svg+xml;base64,{}\">",
                        escaped(figure.title), base64(svg_of(figure, session, language_)));
    if (!caption.empty()) all_ += "<figcaption>" + escaped(caption) + "</figcaption>";
    all_ += "</figure>\n";
  }
  std::string whole() const override {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\"><title>{}</title>\n"
        "<style>{}</style></head>\n<body>\n{}</body>\n</html>\n",
        language_ == words::Language::zh_CN ? "zh-CN" : "en", escaped(title_), kStyle, all_);
  }

 private:
  std::string escaped(const std::string& plain) const override {
    std::string all;
    for (const char c : plain) {
      switch (c) {
        case '&': all += "&amp;"; break;
        case '<': all += "&lt;"; break;
        case '>': all += "&gt;"; break;
        case '"': all += "&quot;"; break;
        default: all += c;
      }
    }
    return all;
  }

  std::string title_;
  words::Language language_;
  bool items_ = false;
};

class Pdf final : public Markup {
 public:
  Pdf(std::string title, words::Language language) : leaflet_(std::move(title), language) {}

  void heading(int level, const std::string& text) override { leaflet_.heading(level, text); }
  void paragraph(const Parts& parts) override { leaflet_.paragraph(parts); }
  void question(const Parts& parts) override { leaflet_.question(parts); }
  void item(const Parts& parts, Sign sign) override {
    sign == Sign::box ? leaflet_.option(parts, "□") : leaflet_.item(parts, "•");
  }
  void blank() override { leaflet_.blank(); }
  void new_page() override { leaflet_.new_page(); }
  void picture(const figure::Figure& figure, const std::string& caption,
               const std::string&) override {
    leaflet_.picture(figure, caption);
  }
  std::string whole() const override { return leaflet_.pdf(); }

 private:
  paper::Leaflet leaflet_;
};

}  // namespace

std::unique_ptr<Markup> make_markup(const fs::path& out, const std::string& title,
                                    words::Language language) {
  const std::string ending = out.extension().string();
  if (ending == ".html") return std::make_unique<Html>(title, language);
  if (ending == ".md") return std::make_unique<Markdown>(out, language);
  if (ending == ".pdf") return std::make_unique<Pdf>(title, language);
  words::refuse<core::InputError>(
      N_("--out: expected a name that ends in .pdf, .html or .md, got \"{}\""),
      core::printable(out.string()));
}

std::vector<fs::path> write_markup(const Markup& markup, const fs::path& out,
                                   const paper::Inputs& inputs) {
  std::vector<fs::path> beside;
  for (const auto& [path, bytes] : markup.beside()) {
    inputs.refuse(path);
    std::error_code unread;
    if (fs::exists(fs::symlink_status(path, unread)) && !paper::written_here(path)) {
      words::refuse<core::InputError>(N_("{}: expected no file or a figure made by attnscope, got "
                                         "another file where a picture of {} goes"),
                                      sys::shown_path(path), sys::shown_path(out));
    }
    beside.push_back(path);
  }
  for (const auto& [path, bytes] : markup.beside()) sys::write_atomically(path, bytes);
  sys::write_atomically(out, markup.whole());
  return beside;
}

}  // namespace lesson
