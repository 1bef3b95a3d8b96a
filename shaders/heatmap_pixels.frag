#version 330 core
// Cells whose pixels are painted already. Draws the same as heatmap.frag, without the search.
uniform sampler2D u_pixels;  // the colour of each pixel drawn
uniform ivec2 u_origin;      // the first of them, y down
uniform int u_height;        // of the framebuffer

out vec4 o_color;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  pixel.y = u_height - 1 - pixel.y;
  o_color = texelFetch(u_pixels, pixel - u_origin, 0);
}
