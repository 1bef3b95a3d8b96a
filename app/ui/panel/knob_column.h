// The knobs of the lab in a column, in groups. Those that matter most and those that were changed
// are shown; the others wait behind a button.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/controls/dialogs.h"
#include "app/ui/controls/name_knob.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/panel/sweep_bar.h"

namespace ui {

class KnobColumn {
 public:
  // All outlive it. `folder`: where a file is looked for at first.
  KnobColumn(state::Program& program, Gui& gui, TextEdit& edit, Dialogs& dialogs, SweepBar& sweeps,
             const std::string& folder)
      : program_(program),
        gui_(gui),
        edit_(edit),
        dialogs_(dialogs),
        sweep_bar_(sweeps),
        folder_(folder),
        name_knob_(gui, program, edit) {}

  // From (x, y) down, w wide; answers where they end.
  float draw(float x, float y, float w);
  // These alone, in their order, as far as they have an effect.
  float draw_only(const std::vector<std::string>& ids, float x, float y, float w);
  // One of them; answers with its height.
  float draw_one(const param::Parameter& p, float x, float y, float w);
  // Whether it stands first: it matters most, was changed, or is in use.
  bool at_hand(const param::Parameter& p) const;
  // Brings a knob into view when they are drawn next, from behind the button if it must be. False,
  // and perhaps a message, where there is none to be seen.
  bool show(const std::string& id);

 private:
  float more_knobs(int count, bool every, float x, float y, float w);
  float group_heading(std::string_view name, bool first, float x, float y, float w);
  float number_knob(const param::Parameter& p, float x, float y, float w);
  float choice_knob(const param::Parameter& p, float x, float y, float w);
  float measure_knob(const param::Parameter& p, float x, float y, float w);
  float file_knob(const param::Parameter& p, float x, float y, float w);
  void ask_for_file(const param::Parameter& p);
  float text_knob(const param::Parameter& p, float x, float y, float w);
  float stack_knob(const param::Parameter& p, float x, float y, float w);
  float error_line(const std::string& id, float x, float y, float w);
  std::string tooltip_of(const param::Parameter& p) const;

  state::Program& program_;
  Gui& gui_;
  TextEdit& edit_;
  Dialogs& dialogs_;
  SweepBar& sweep_bar_;
  const std::string& folder_;
  NameKnob name_knob_;
  std::string scroll_to_;                          // a knob to bring into view
  std::set<std::string, std::less<>> every_knob_;  // labs whose knobs are all shown
};

}  // namespace ui
