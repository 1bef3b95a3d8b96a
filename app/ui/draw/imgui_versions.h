// What versions 1.86 to 1.92 of Dear ImGui do differently, as Debian 12 (1.86), Debian 13 and
// Ubuntu 24.04 (1.90) and later systems (1.92) have them. No other file asks for the version.
#pragma once

#include <imgui.h>

namespace ui {

// Keys are those of GLFW (GLFW_KEY_*) ------------------------------------------------------------

// Tells ImGui which of its keys are which. Tab is none of them: it is the shell's own and walks
// over every control, not over text boxes alone.
void name_keys(ImGuiIO& io);
// What holds from the next frame on; a key that ImGui has no use for is left out.
void set_key(ImGuiIO& io, int key, bool down);
struct Modifiers {
  bool control = false, shift = false, alt = false, super = false;
};
void set_modifiers(ImGuiIO& io, const Modifiers& held);
// Whether ImGui holds it to be down in this frame.
bool is_down(int key);

// Makes the next InputText of this id take the keyboard in this very frame, so that no character is
// lost. ImGui has no call for it: its own sliders set the same fields when they turn into an input.
void activate_now(ImGuiID id);

// Fonts ------------------------------------------------------------------------------------------

enum class Face { hinted, unhinted };
// How FreeType draws the characters of a face.
void set_face(ImFontConfig& config, Face face, bool bold, bool oblique);
// Makes FreeType the one that draws the atlas's characters.
void use_freetype(ImFontAtlas& atlas);
// Calls the bytes of the font that was added last someone else's.
void disown_bytes(ImFontAtlas& atlas);
// Adds a character of no width and no picture, after the atlas was built, and ends the font: it
// gets no further characters or sizes.
void end_with_blank(ImFont& font, unsigned character);

// Pixels of a line, the size to draw the font with.
float line_of(const ImFont& font);
// Pixels, of a character of at most 16 bits.
float advance_of(ImFont& font, unsigned character);
// Whether it has a picture of its own.
bool has_picture(ImFont& font, unsigned character);
void push_font(ImFont& font);

}  // namespace ui
