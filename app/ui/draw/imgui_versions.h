// What versions 1.86 and 1.90 of Dear ImGui, Debian 12's and 13's, name differently.
#pragma once

#include <imgui_internal.h>

namespace ui {

#if IMGUI_VERSION_NUM < 18700
constexpr ImGuiKey_ kKeypadEnter = ImGuiKey_KeyPadEnter;
#else
constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeypadEnter;
#endif

// Makes the next InputText of this id take the keyboard in this very frame, so that no character is
// lost. ImGui has no call for it: its own sliders set the same fields when they turn into an input.
inline void activate_now(ImGuiID id) {
#if IMGUI_VERSION_NUM < 18900
  GImGui->NavActivateInputId = id;
#else
  GImGui->NavActivateId = id;
  GImGui->NavActivateFlags = ImGuiActivateFlags_PreferInput;
#endif
}

}  // namespace ui
