#version 330 core
// Triangles of one colour a corner, in units of the picture, y down.
uniform vec2 u_scale, u_shift;  // from units to GL's square from -1 to 1

layout(location = 0) in vec2 a_at;
layout(location = 2) in vec4 a_color;

out vec4 v_color;

void main() {
  v_color = a_color;
  gl_Position = vec4(a_at * u_scale + u_shift, 0.0, 1.0);
}
