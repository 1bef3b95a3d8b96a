#version 330 core
// Cells as colours: a port of figure::ValueColors::bin. It decides on integers only, so that every
// driver gives the same pixels as the CPU: denormals are not flushed, NaN keeps its payload.
uniform usampler2D u_values;   // the bits of a float for each cell
uniform isampler2D u_indices;  // row 0: the column of cells of each pixel column; row 1: of rows
uniform usampler2D u_palette;  // r, g: ordered bits of where each bin begins and ends; b: colour
uniform ivec2 u_origin;        // the first pixel drawn, y down
uniform int u_height;          // of the framebuffer
uniform uvec2 u_ends;          // ordered bits of the scale's two ends
uniform int u_transform;       // 0 linear, 1 log, 2 symlog
uniform vec3 u_guess;          // offset and slope from a transformed value to a bin; symlog's c
uniform float u_hatch_period;  // a whole number
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

uvec3 texel(int bin) { return texelFetch(u_palette, ivec2(bin, 0), 0).rgb; }

// About which bin a value lies in. Floats differ between drivers: the edges decide.
int guess(float value) {
  float t = value;
  if (u_transform == 1) t = log2(value);
  if (u_transform == 2) {
    float m = abs(value) / u_guess.z;
    t = sign(value) * (m <= 1.0 ? m : 1.0 + log(m));
  }
  return clamp(int(clamp((t - u_guess.x) * u_guess.y, 0.0, 255.0)), 0, 255);
}

// The colour of a value: found in one look where the guess is right, else by widening steps and
// bisection. A loop rather than nested conditions, since software drivers skip only loops.
uint color_of(uint bits) {
  uint key = ordered(bits);
  bool nan = (bits & ~kSign) > 0x7f800000u;
  int at = guess(uintBitsToFloat(bits));
  bool on_scale = !nan && key >= u_ends.x && key <= u_ends.y;
  if (!on_scale) at = key < u_ends.x ? kBelow : kAbove;
  if (nan) at = bits == kMaskedBits ? kMaskedBin : kNan;
  uvec3 bin = texel(at);
  int lo = 0, hi = 255, step = 1;
  while (on_scale && lo <= hi && !(key >= bin.r && key < bin.g)) {
    if (key < bin.r) {
      hi = at - 1;
      at = max((lo + hi) / 2, at - step);
    } else {
      lo = at + 1;
      at = min((lo + hi) / 2, at + step);
    }
    step *= 4;
    bin = texel(at);
  }
  return bin.b;
}

// Whole numbers of a pixel's size are exact as floats, and the half keeps the quotient away from
// where a driver's division might round over; an integer remainder costs more than all the rest.
bool hatched(ivec2 pixel) {
  float along = float(pixel.x + pixel.y);
  return along - u_hatch_period * floor((along + 0.5) / u_hatch_period) < 0.5;
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  pixel.y = u_height - 1 - pixel.y;
  ivec2 at = pixel - u_origin;
  ivec2 cell =
      ivec2(texelFetch(u_indices, ivec2(at.x, 0), 0).r, texelFetch(u_indices, ivec2(at.y, 1), 0).r);
  uint bits = texelFetch(u_values, cell, 0).r;
  if (bits == kMaskedBits && hatched(pixel)) {
    o_color = u_hatch;
    return;
  }
  uint c = color_of(bits);
  o_color = vec4(uvec4(c, c >> 8, c >> 16, c >> 24) & 255u) / 255.0;
}
