#version 330 core
// Cells whose colours are made already; masked ones, with an alpha of zero, are hatched here, as
// the hatch goes by pixels. Draws the same as heatmap.frag, without the search.
uniform sampler2D u_colors;    // the colour of each cell
uniform isampler2D u_indices;  // row 0: the column of cells of each pixel column; row 1: of rows
uniform ivec2 u_origin;        // the first pixel drawn, y down
uniform int u_height;          // of the framebuffer
uniform float u_hatch_period;  // a whole number
uniform vec4 u_hatch;

out vec4 o_color;

// As in heatmap.frag.
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
  vec4 color = texelFetch(u_colors, cell, 0);
  o_color = color.a < 0.5 && hatched(pixel) ? u_hatch : vec4(color.rgb, 1.0);
}
