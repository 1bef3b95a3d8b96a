#include "app/lesson/handout.h"

#include <fstream>
#include <sstream>

#include "app/labs/labs.h"
#include "app/lesson/answer.h"
#include "app/lesson/lecture.h"
#include "app/lesson/text.h"
#include "app/page/atomic_file.h"
#include "app/page/export_figure.h"
#include "core/random.h"
#include "core/text/printable.h"

namespace lesson {
namespace {

namespace fs = std::filesystem;

// How text is marked up, in Markdown and in HTML.
class Markup {
 public:
  virtual ~Markup() = default;
  virtual std::string text(const std::string& plain) const = 0;
  virtual std::string strong(const std::string& marked) const = 0;
  virtual void heading(int level, const std::string& marked) = 0;
  virtual void paragraph(const std::string& marked) = 0;
  virtual void question(const std::string& marked) = 0;
  virtual void item(const std::string& marked) = 0;
  virtual void end_items() {}
  // A drawing as SVG; `number` counts them.
  virtual void picture(const std::string& svg, const std::string& caption, int number) = 0;
  virtual std::string whole(const std::string& title, words::Language language) const = 0;
};

class Markdown final : public Markup {
 public:
  explicit Markdown(fs::path out) : out_(std::move(out)) {}

  std::string text(const std::string& plain) const override {
    std::string all;
    for (const char c : plain) {
      if (std::string_view("\\*[]{}<>_`|#").find(c) != std::string_view::npos) all += '\\';
      all += c;
    }
    return all;
  }
  std::string strong(const std::string& marked) const override { return "**" + marked + "**"; }
  void heading(int level, const std::string& marked) override {
    all_ += std::string(static_cast<std::size_t>(level), '#') + " " + marked + "\n\n";
  }
  void paragraph(const std::string& marked) override { all_ += marked + "\n\n"; }
  void question(const std::string& marked) override { all_ += "> " + marked + "\n\n"; }
  void item(const std::string& marked) override { all_ += "- " + marked + "\n"; }
  void end_items() override { all_ += "\n"; }
  void picture(const std::string& svg, const std::string& caption, int number) override {
    const std::string name = fmt::format("{}-{}.svg", out_.stem().string(), number);
    page::write_atomically(out_.parent_path() / name, svg);
    all_ += fmt::format("![{}]({})\n\n", text(caption), name);
  }
  std::string whole(const std::string&, words::Language) const override { return all_; }

 private:
  fs::path out_;
  std::string all_;
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
body { font: 11pt/1.5 Inter, "Noto Sans CJK SC", sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color: #1c2430; }
h1 { font-size: 1.7em; } h2 { font-size: 1.2em; margin-top: 1.8em; }
.question { border-left: 3px solid #c98a1b; padding-left: .8em; font-weight: 600; }
img { max-width: 100%; } figure { margin: 1em 0; break-inside: avoid; } figcaption { color: #5b6675; font-size: .85em; }
h2, .question { break-after: avoid; }
)";

class Html final : public Markup {
 public:
  std::string text(const std::string& plain) const override {
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
  std::string strong(const std::string& marked) const override {
    return "<strong>" + marked + "</strong>";
  }
  void heading(int level, const std::string& marked) override {
    all_ += fmt::format("<h{0}>{1}</h{0}>\n", level, marked);
  }
  void paragraph(const std::string& marked) override { all_ += "<p>" + marked + "</p>\n"; }
  void question(const std::string& marked) override {
    all_ += "<p class=\"question\">" + marked + "</p>\n";
  }
  void item(const std::string& marked) override {
    if (!items_) all_ += "<ul>\n";
    items_ = true;
    all_ += "<li>" + marked + "</li>\n";
  }
  void end_items() override {
    if (items_) all_ += "</ul>\n";
    items_ = false;
  }
  void picture(const std::string& svg, const std::string& caption, int) override {
    all_ += fmt::format(
        "<figure><img alt=\"{0}\" src=\"data:image/svg+xml;base64,{1}\">"
        "<figcaption>{0}</figcaption></figure>\n",
        text(caption), base64(svg));
  }
  std::string whole(const std::string& title, words::Language language) const override {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\"><title>{}</title>\n"
        "<style>{}</style></head>\n<body>\n{}</body>\n</html>\n",
        language == words::Language::zh_CN ? "zh-CN" : "en", text(title), kStyle, all_);
  }

 private:
  std::string all_;
  bool items_ = false;
};

class Writer {
 public:
  Writer(const Lesson& lesson, const PageOf& page_of, words::Language language, Markup& out)
      : lesson_(lesson), page_of_(page_of), words_(language), out_(out) {}

  void write() {
    out_.heading(1, out_.text(lesson_.title));
    out_.paragraph(out_.text(plain(told(lesson_.about, {}, words_))));
    for (std::size_t k = 0; k < lesson_.stops.size(); ++k) stop(k);
    bool any = false;
    for (std::size_t k = 0; k < lesson_.stops.size(); ++k) {
      if (!lesson_.stops[k].question) continue;
      if (!any) out_.heading(1, out_.text(words_("Answers")));
      any = true;
      answers(k);
    }
    sources();
  }

 private:
  struct Seen {
    lab::Session session;
    lab::Page page;
    Sight sight() const { return {&page, &lab::find(session.lab), &session.values}; }
  };
  Seen seen(std::size_t k, bool revealed) const {
    lab::Session session = scene(lesson_, k, revealed);
    lab::Page page = page_of_(session);
    return {std::move(session), std::move(page)};
  }

  std::string marked(const Paragraph& paragraph, const Seen& seen) const {
    std::string all;
    for (const Told& one : told(paragraph, seen.sight(), words_)) {
      const std::string text = out_.text(one.text);
      all += one.strong ? out_.strong(text) : text;
    }
    return all;
  }

  static bool hidden(const Stop& stop, const std::string& figure, const lab::Page& page) {
    if (!stop.question) return false;
    const auto is_it = [&](const Named& one) {
      const figure::Figure* of = holder(page, one.is.id);
      return of && of->id == figure && one.is.kind != Kind::readout;
    };
    const auto& q = *stop.question;
    return std::any_of(q.hides.begin(), q.hides.end(), is_it) ||
           std::holds_alternative<Draw>(q.kind);
  }

  void picture(const std::string& id, const Seen& seen) {
    const figure::Figure* figure = find_figure(seen.page, id);
    if (!figure) return;
    page::PaperOptions options;
    options.language = words_.language();
    options.caption = false;
    options.session = lab::to_json(seen.session);
    // There is no drawing into memory: it goes by way of a file.
    const fs::path file = fs::temp_directory_path() / fmt::format("attnscope-handout-{:016x}.svg",
                                                                  core::hash64(options.session));
    page::export_page(seen.page, {id}, {}, options, file);
    std::ostringstream svg;
    svg << std::ifstream(file, std::ios::binary).rdbuf();
    std::error_code ignored;
    fs::remove(file, ignored);
    out_.picture(svg.str(), figure->title, ++pictures_);
  }

  void stop(std::size_t k) {
    const Stop& stop = lesson_.stops[k];
    const Seen now = seen(k, false);
    out_.heading(2, out_.text(fmt::format("{}  {}", k + 1, stop.title)));
    for (const Paragraph& one : stop.text) out_.paragraph(marked(one, now));
    const std::string figure = figure_of(stop, now.page);
    // The same picture is not shown twice in a row.
    const std::string key = figure + "\n" + lab::to_json(now.session);
    if (!figure.empty() && !hidden(stop, figure, now.page) && key != shown_) picture(figure, now);
    shown_ = key;
    if (!stop.question) return;
    out_.question(marked(stop.question->asked, now));
    if (const auto* choose = std::get_if<Choose>(&stop.question->kind)) {
      for (const Option& one : choose->options) out_.item(marked(one.text, now));
      out_.end_items();
    } else if (std::holds_alternative<TrueOrFalse>(stop.question->kind)) {
      out_.item(out_.text(words_("true")));
      out_.item(out_.text(words_("false")));
      out_.end_items();
    }
  }

  void answers(std::size_t k) {
    const Stop& stop = lesson_.stops[k];
    const Question& q = *stop.question;
    const Seen then = seen(k, true);
    out_.heading(2, out_.text(fmt::format("{}  {}", k + 1, stop.title)));
    out_.question(marked(q.asked, then));
    const std::string answer = answer_text(q, right_answer(q, then.sight()), then.sight(), words_);
    if (!answer.empty()) out_.paragraph(out_.strong(out_.text(answer)));
    if (const auto about = asked_about(q); about && about->kind != Kind::line) {
      std::string names;
      const figure::Plot* plot = find_plot(then.page, about->id);
      const auto first = first_index(*plot, about->kind);
      for (const Element& one : right_elements(q, then.sight())) {
        const bool cell = about->kind == Kind::cell;
        names +=
            (names.empty() ? "" : words_(N_(", "))) +
            (cell ? words_.format(N_("row {}, column {}"), one.row + first[0], one.col + first[1])
                  : words_.format(N_("number {}"), one.row + first[0]));
      }
      out_.paragraph(out_.strong(out_.text(names)));
    }
    out_.paragraph(marked(q.why, then));
    for (const Paragraph& one : q.after) out_.paragraph(marked(one, then));
    const std::string figure = figure_of(stop, then.page);
    const bool another = !q.reveals.values.empty() || hidden(stop, figure, then.page);
    if (!figure.empty() && another) picture(figure, then);
  }

  void sources() {
    std::vector<std::string> labs;
    for (std::size_t k = 0; k < lesson_.stops.size(); ++k) {
      const std::string lab = scene(lesson_, k).lab;
      if (std::find(labs.begin(), labs.end(), lab) == labs.end()) labs.push_back(lab);
    }
    out_.heading(2, out_.text(words_("Sources")));
    for (const std::string& id : labs) {
      for (const lab::Source& one : lab::find(id).sources) {
        std::string text(one.citation);
        if (!one.where.empty()) text += fmt::format(", {}", words_(one.where));
        if (!one.url.empty()) text += fmt::format(" · {}", one.url);
        out_.item(out_.text(text));
      }
    }
    out_.end_items();
  }

  const Lesson& lesson_;
  const PageOf& page_of_;
  words::Words words_;
  Markup& out_;
  int pictures_ = 0;
  std::string shown_;
};

}  // namespace

void write_handout(const Lesson& lesson, const PageOf& page_of, words::Language language,
                   const fs::path& out) {
  const std::string ending = out.extension().string();
  std::unique_ptr<Markup> markup;
  if (ending == ".html") markup = std::make_unique<Html>();
  if (ending == ".md") markup = std::make_unique<Markdown>(out);
  if (!markup) {
    words::refuse<core::InputError>(
        N_("--out: expected a name that ends in .html or .md, got \"{}\""),
        core::printable(out.string()));
  }
  Writer(lesson, page_of, language, *markup).write();
  page::write_atomically(out, markup->whole(lesson.title, language));
}

}  // namespace lesson
