// A text with figures as an A4 document in PDF, in light colours: headings, sentences, questions,
// lists and figures, one under the other. Tagged, with a title and a bookmark for each heading.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/words/words.h"

namespace paper {

// A part of a sentence, strong or not.
struct Part {
  std::string text;
  bool strong = false;
};
using Parts = std::vector<Part>;

class Leaflet {
 public:
  Leaflet(std::string title, words::Language language);
  ~Leaflet();
  Leaflet(const Leaflet&) = delete;
  Leaflet& operator=(const Leaflet&) = delete;

  // What follows begins a page.
  void new_page();
  // `level` 1 to 3; the first two are bookmarks.
  void heading(int level, const std::string& text);
  void paragraph(const Parts& parts);
  // A question, with a bar at its left.
  void question(const Parts& parts);
  // An item of a list, in small type; `sign` stands before it.
  void item(const Parts& parts, const std::string& sign);
  // An option to be ticked, as large as sentences: it stays with the question and with the others.
  void option(const Parts& parts, const std::string& sign);
  // A line to write an answer on.
  void blank();
  // `caption` stands small under it; it may be empty.
  void picture(const figure::Figure& figure, const std::string& caption);

  // The document.
  std::string pdf() const;

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace paper
