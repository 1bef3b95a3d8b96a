#version 330 core
// Cells as colours: a port of figure::ValueColors::bin. It computes on integers only, so that every
// driver gives the same pixels as the CPU: denormals are not flushed, NaN keeps its payload.
uniform usampler2D u_values;   // the bits of a float for each cell
uniform isampler2D u_indices;  // row 0: the column of cells of each pixel column; row 1: of rows
uniform usampler2D u_palette;  // r: ordered bits of where each bin begins, 256: of the end; g: colour
uniform ivec2 u_origin;        // the first pixel drawn, y down
uniform int u_height;          // of the framebuffer
uniform int u_hatch_period;
uniform vec4 u_hatch;

out vec4 o_color;

const int kBelow = 256, kAbove = 257, kNan = 258, kMaskedBin = 259;
const uint kMaskedBits = 0x7fc0a77eu;
const uint kSign = 0x80000000u;

// Larger floats have larger keys; both zeros have one.
uint ordered(uint bits) {
  if (bits == kSign) bits = 0u;
  return (bits & kSign) != 0u ? ~bits : bits | kSign;
}

uint begin_of(int bin) { return texelFetch(u_palette, ivec2(bin, 0), 0).r; }

int bin_of(uint bits) {
  if (bits == kMaskedBits) return kMaskedBin;
  if ((bits & ~kSign) > 0x7f800000u) return kNan;
  uint key = ordered(bits);
  if (key < begin_of(0)) return kBelow;
  if (key > begin_of(256)) return kAbove;
  int bin = 0;
  for (int step = 128; step > 0; step >>= 1) {
    if (key >= begin_of(bin + step)) bin += step;
  }
  return bin;
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  pixel.y = u_height - 1 - pixel.y;
  ivec2 at = pixel - u_origin;
  ivec2 cell =
      ivec2(texelFetch(u_indices, ivec2(at.x, 0), 0).r, texelFetch(u_indices, ivec2(at.y, 1), 0).r);
  int bin = bin_of(texelFetch(u_values, cell, 0).r);
  if (bin == kMaskedBin && (pixel.x + pixel.y) % u_hatch_period == 0) {
    o_color = u_hatch;
    return;
  }
  uint c = texelFetch(u_palette, ivec2(bin, 0), 0).g;
  o_color = vec4(uvec4(c, c >> 8, c >> 16, c >> 24) & 255u) / 255.0;
}
