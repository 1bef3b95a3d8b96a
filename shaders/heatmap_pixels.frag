#version 330 core
// Cells whose pixels are painted already. Draws the same as heatmap.frag, without the search.
uniform sampler2D u_pixels;  // the colour of each pixel drawn

in vec2 v_texel;

out vec4 o_color;

void main() { o_color = texture(u_pixels, v_texel); }
