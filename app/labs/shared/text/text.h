// What a lab says of itself: its title, question, about, sources, presets and cards stand in a text
// beside its code, app/labs/LAB/LAB.md (app/labs/README.md, section 6).
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/text/places.h"

namespace lab {

// The lab whose text that is, with the page that it makes. Throws core::InputError, with the file
// and the line, where the text is not as it must be.
Lab from_text(std::string_view id, std::function<std::unique_ptr<State>()> make);
// The same of a text that was read from `file`, which must live as long as the lab.
Lab from_places(const std::vector<text::Place>& places, std::string_view file,
                std::function<std::unique_ptr<State>()> make);

// The cards of that lab's text in the reader's language: those that are shown with the knobs as
// they stand. Only texts that have `shown:` need the knobs.
std::vector<Card> cards(std::string_view lab, const Words& w, const param::List& knobs = {});
template <class Parameters>
std::vector<Card> cards(std::string_view lab, const Words& w, Parameters p,
                        void (*describe)(Parameters&, param::List&)) {
  param::List knobs;
  describe(p, knobs);
  return cards(lab, w, knobs);
}

// Fills the {} in what is true of that card, if it is among these.
template <class... Args>
void fill(std::vector<Card>& cards, std::string_view id, const Words& w, const Args&... args) {
  for (Card& card : cards) {
    if (card.id == id) card.truth = w.format(card.truth, args...);
  }
}

}  // namespace lab
