#include "app/ui/draw/imgui_versions.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_freetype.h>
#include <imgui_internal.h>

#include <array>
#include <utility>

namespace ui {

namespace {

#if IMGUI_VERSION_NUM < 18700
constexpr auto kKeypadEnter = ImGuiKey_KeyPadEnter;
#else
constexpr auto kKeypadEnter = ImGuiKey_KeypadEnter;
#endif

constexpr std::array<std::pair<ImGuiKey, int>, 21> kKeys{{{ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                                                          {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                                                          {ImGuiKey_UpArrow, GLFW_KEY_UP},
                                                          {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                                                          {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
                                                          {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
                                                          {ImGuiKey_Home, GLFW_KEY_HOME},
                                                          {ImGuiKey_End, GLFW_KEY_END},
                                                          {ImGuiKey_Insert, GLFW_KEY_INSERT},
                                                          {ImGuiKey_Delete, GLFW_KEY_DELETE},
                                                          {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                                                          {ImGuiKey_Space, GLFW_KEY_SPACE},
                                                          {ImGuiKey_Enter, GLFW_KEY_ENTER},
                                                          {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                                                          {kKeypadEnter, GLFW_KEY_KP_ENTER},
                                                          {ImGuiKey_A, GLFW_KEY_A},
                                                          {ImGuiKey_C, GLFW_KEY_C},
                                                          {ImGuiKey_V, GLFW_KEY_V},
                                                          {ImGuiKey_X, GLFW_KEY_X},
                                                          {ImGuiKey_Y, GLFW_KEY_Y},
                                                          {ImGuiKey_Z, GLFW_KEY_Z}}};

}  // namespace

// Keys -------------------------------------------------------------------------------------------

#if IMGUI_VERSION_NUM < 18700

void name_keys(ImGuiIO& io) {
  for (const auto& [own, key] : kKeys) io.KeyMap[own] = key;
  io.KeyMap[ImGuiKey_Tab] = -1;
}

void set_key(ImGuiIO& io, int key, bool down) {
  if (key >= 0 && key < IM_ARRAYSIZE(ImGuiIO::KeysDown)) io.KeysDown[key] = down;
}

void set_modifiers(ImGuiIO& io, const Modifiers& held) {
  io.KeyCtrl = held.control;
  io.KeyShift = held.shift;
  io.KeyAlt = held.alt;
  io.KeySuper = held.super;
}

bool is_down(int key) { return ImGui::IsKeyDown(key); }

#else

namespace {

ImGuiKey own_key(int key) {
  for (const auto& [own, other] : kKeys) {
    if (other == key) return own;
  }
  return ImGuiKey_None;
}

}  // namespace

// The queue of events before it lets through what belongs into one frame: ImGui's own is to pass
// all.
void name_keys(ImGuiIO& io) { io.ConfigInputTrickleEventQueue = false; }

void set_key(ImGuiIO& io, int key, bool down) { io.AddKeyEvent(own_key(key), down); }

void set_modifiers(ImGuiIO& io, const Modifiers& held) {
  io.AddKeyEvent(ImGuiMod_Ctrl, held.control);
  io.AddKeyEvent(ImGuiMod_Shift, held.shift);
  io.AddKeyEvent(ImGuiMod_Alt, held.alt);
  io.AddKeyEvent(ImGuiMod_Super, held.super);
}

bool is_down(int key) { return ImGui::IsKeyDown(own_key(key)); }

#endif

void activate_now(ImGuiID id) {
#if IMGUI_VERSION_NUM < 18900
  GImGui->NavActivateInputId = id;
#else
  GImGui->NavActivateId = id;
  GImGui->NavActivateFlags = ImGuiActivateFlags_PreferInput;
#endif
}

// Fonts ------------------------------------------------------------------------------------------

void set_face(ImFontConfig& config, Face face, bool bold, bool oblique) {
#if IMGUI_VERSION_NUM < 19200
  unsigned& flags = config.FontBuilderFlags;
#else
  unsigned& flags = config.FontLoaderFlags;
#endif
  flags = face == Face::hinted ? ImGuiFreeTypeBuilderFlags_LightHinting
                               : ImGuiFreeTypeBuilderFlags_NoHinting;
  if (bold) flags |= ImGuiFreeTypeBuilderFlags_Bold;
  if (oblique) flags |= ImGuiFreeTypeBuilderFlags_Oblique;
}

#if IMGUI_VERSION_NUM < 19200

void use_freetype(ImFontAtlas& atlas) {
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
}

void disown_bytes(ImFontAtlas& atlas) { atlas.ConfigData.back().FontDataOwnedByAtlas = false; }

void end_with_blank(ImFont& font, unsigned character) {
  font.AddGlyph(nullptr, static_cast<ImWchar>(character), 0, 0, 0, 0, 0, 0, 0, 0, 0);
  font.BuildLookupTable();
}

float line_of(const ImFont& font) { return font.FontSize; }

float advance_of(ImFont& font, unsigned character) {
  return font.GetCharAdvance(static_cast<ImWchar>(character));
}

bool has_picture(ImFont& font, unsigned character) {
  return font.FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
}

void push_font(ImFont& font) { ImGui::PushFont(&font); }

#else

namespace {

// The one size that its characters were drawn in.
ImFontBaked& drawn(ImFont& font) { return *font.GetFontBaked(font.LegacySize); }

}  // namespace

void use_freetype(ImFontAtlas& atlas) { atlas.SetFontLoader(ImGuiFreeType::GetFontLoader()); }

void disown_bytes(ImFontAtlas& atlas) { atlas.Sources.back().FontDataOwnedByAtlas = false; }

void end_with_blank(ImFont& font, unsigned character) {
  ImFontGlyph blank;
  blank.Codepoint = character & 0x1FFFFF;
  ImFontAtlasBakedAddFontGlyph(font.ContainerAtlas, &drawn(font), nullptr, &blank);
  font.Flags |= ImFontFlags_NoLoadGlyphs | ImFontFlags_LockBakedSizes;
}

// Characters are drawn in whole pixels a line.
float line_of(const ImFont& font) { return IM_ROUND(font.LegacySize); }

float advance_of(ImFont& font, unsigned character) {
  return drawn(font).GetCharAdvance(static_cast<ImWchar>(character));
}

bool has_picture(ImFont& font, unsigned character) {
  return drawn(font).FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
}

void push_font(ImFont& font) { ImGui::PushFont(&font, font.LegacySize); }

#endif

}  // namespace ui
