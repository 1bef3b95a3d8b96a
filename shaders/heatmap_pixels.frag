#version 330 core
// Cells whose pixels are painted already. Draws the same as heatmap.frag, without the search.
uniform sampler2D u_pixels;  // the colour of each pixel drawn
uniform ivec2 u_origin;      // the first of them, y down
uniform ivec2 u_rows;        // y down is x + y * (GL's y)

out vec4 o_color;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  pixel.y = u_rows.x + u_rows.y * pixel.y;
  o_color = texelFetch(u_pixels, pixel - u_origin, 0);
}
