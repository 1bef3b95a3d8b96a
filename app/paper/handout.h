// A handout of labs: a page or two each, with contents, links and bookmarks.
#pragma once

#include <string>
#include <vector>

#include "app/labs/lab.h"
#include "app/words/words.h"

namespace paper {

// A lab with the page that it begins with, in the handout's language.
struct HandoutLab {
  const lab::Lab* lab = nullptr;
  lab::Page page;
};

// An A4 document in PDF, in light colours: contents, then of each lab its question, introduction,
// formula, as many of its first figures as fit into two pages, what is commonly said, and sources.
std::string handout_pdf(const std::vector<HandoutLab>& labs, words::Language language);

}  // namespace paper
