// How a handout is written down: as Markdown, HTML or PDF.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/labs/lab.h"
#include "app/paper/file/inputs.h"
#include "app/paper/leaflet.h"
#include "app/words/words.h"

namespace lesson {

class Markup {
 public:
  using Parts = paper::Parts;
  enum class Sign { dot, box };  // before what is listed; boxes are ticked

  virtual ~Markup() = default;
  virtual void heading(int level, const std::string& text) = 0;
  virtual void paragraph(const Parts& parts) = 0;
  virtual void question(const Parts& parts) = 0;
  virtual void item(const Parts& parts, Sign sign) = 0;
  // A line to write an answer on.
  virtual void blank() = 0;
  virtual void end_items() {}
  // What follows begins a page, where there are pages.
  virtual void new_page() {}
  // `session` made it and travels along where that can be; `caption` may be empty.
  virtual void picture(const figure::Figure& figure, const std::string& caption,
                       const std::string& session) = 0;
  // The whole file.
  virtual std::string whole() const = 0;
  // Files that belong beside it, with their bytes.
  using Beside = std::vector<std::pair<std::filesystem::path, std::string>>;
  virtual const Beside& beside() const {
    static const Beside none;
    return none;
  }
};

// The ending of `out` chooses. Throws core::InputError for another than .html, .md and .pdf.
std::unique_ptr<Markup> make_markup(const std::filesystem::path& out, const std::string& title,
                                    words::Language language);

// Writes it, and what belongs beside it; answers with that. Refuses to write over a file that is no
// figure of this program's, or one of `inputs`: nothing is written then.
std::vector<std::filesystem::path> write_markup(const Markup& markup,
                                                const std::filesystem::path& out,
                                                const paper::Inputs& inputs);

}  // namespace lesson
