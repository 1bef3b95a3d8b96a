// Loss against time: how long a step of a training takes on this machine, and the curves over it.
#pragma once

#include "app/labs/shared/model/pair_training.h"

namespace lab {

// The median of a few real steps, those that look at held-out pairs left out.
struct StepTime {
  double seconds = 0;
  Index steps = 0;  // that were timed
};

// Another `measurement` times anew. `knobs`: how the model was trained. A stage of the model.
StepTime step_time(const Learned& learned, const TrainingKnobs& knobs, int measurement,
                   const Context& context);

// A course of training, and what a step of it takes.
struct Timed {
  std::string name;
  const Learned* learned;
  StepTime time;
  Color loss, accuracy;

  double seconds_at(Index step) const { return to_double(step) * time.seconds; }
  // When nine tenths of the held-out texts were right for the first time; nothing: never.
  std::optional<double> learned_after() const;
};
// "0.42 s", "12.3 ms"
std::string seconds_text(double seconds);

// Held-out loss and texts right against the seconds that the steps take here.
Figure time_figure(const std::vector<Timed>& courses, const Words& w);

}  // namespace lab
