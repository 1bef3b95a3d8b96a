#version 330 core
// The share of a pixel that a letter covers is the texture's one channel.
uniform sampler2D u_coverage;

in vec2 v_texel;
in vec4 v_color;

out vec4 o_color;

void main() { o_color = vec4(v_color.rgb, v_color.a * texture(u_coverage, v_texel).r); }
