#version 330 core
// One triangle over the whole framebuffer: the scissor says which pixels are drawn, so that no
// rounding of corners does.
void main() {
  vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
