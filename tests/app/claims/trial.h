// Trying claims on the pages that they speak of.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/labs/labs.h"
#include "app/worker/runs.h"
#include "claim.h"

namespace claims {

// One way to set the knobs: values that are assigned one after the other.
struct Setting {
  std::string name;  // "preset long, seed=3"
  std::vector<param::Values> values;
};

// What became of a claim: how often it was tried, and where it does not hold.
struct Outcome {
  int tried = 0;
  std::vector<std::string> faults;
  std::set<int> refused = {};  // lines that could not be computed: each is a fault once
};

// The pages of one lab, each computed once, and what is tried on them.
class Trial {
 public:
  explicit Trial(const lab::Lab& lab) : lab_(lab) {}

  // Tries every claim of the lab that is to be computed. An outcome for each, by its line.
  std::map<int, Outcome> all(const std::vector<Place>& places);

  const lab::Page& page(const Setting& setting);
  // A page that has this card: as the lab is at first, else the first preset whose page has it.
  const lab::Page& page_of_card(std::string_view id);
  // Everything that is said at a place on that page, a sentence each.
  std::vector<std::string> said(const Place& place, const lab::Page& page) const;

 private:
  std::vector<Setting> settings(const Place& place, const Claim& claim);
  std::vector<Setting> with_seeds(const Claim& claim, std::vector<Setting> all);
  void try_claim(const Place& place, const Claim& claim, const Setting& setting, Outcome& outcome);
  std::unique_ptr<lab::State> state(const Setting& setting) const;

  // A page, and the knobs where they stand.
  struct Scene {
    std::shared_ptr<const lab::Page> page;
    param::Values knobs;
  };
  const Scene& scene(const Setting& setting);

  const lab::Lab& lab_;
  words::Words english_;
  lab::Memo memo_;
  worker::Runs runs_{{.patience = worker::Runs::kPatient}};
  // No page is computed twice: settings of different names may leave the knobs where others do.
  std::map<std::string, Scene> scenes_;                            // by what was assigned
  std::map<std::string, std::shared_ptr<const lab::Page>> pages_;  // by the knobs with an effect
};

// The settings in which what stands on the page at any time is tried: as it is at first, each
// preset that is quick to compute, and each knob elsewhere.
std::vector<Setting> moved_settings(const lab::Lab& lab);

}  // namespace claims
