#version 330 core
// A rectangle of whole pixels, each over the centre of a texel of its own. Drivers without a GPU
// take little time for a texture whose place is interpolated, and far more for one that is computed
// or fetched by its number.
uniform vec4 u_edges;  // left, top, right and bottom in GL's square from -1 to 1

out vec2 v_texel;

void main() {
  v_texel = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(mix(u_edges.xy, u_edges.zw, v_texel), 0.0, 1.0);
}
