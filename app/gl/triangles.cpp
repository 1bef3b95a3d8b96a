#include "app/gl/triangles.h"

#include <glad/gl.h>

#include <cstddef>

#include "app/gl/program.h"

namespace gl {
namespace {

// A pixel whose centre lies on the border of two areas belongs to the lower one, as for
// first_pixel; OpenGL gives it to the upper one. So all is drawn higher by the finest step of a
// rasterizer.
constexpr float kTie = 1.0f / 256;

const void* offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

void attribute(GLuint place, GLint count, GLenum type, GLboolean normalized, std::size_t at) {
  glEnableVertexAttribArray(place);
  glVertexAttribPointer(place, count, type, normalized, sizeof(Vertex), offset(at));
}

}  // namespace

Triangles::Triangles() {
  for (const auto& [program, name] : {std::pair{&plain_, "plain"}, {&letters_, "letters"}}) {
    program->id = make_program(name);
    program->u_scale = glGetUniformLocation(program->id, "u_scale");
    program->u_shift = glGetUniformLocation(program->id, "u_shift");
  }
  glUseProgram(letters_.id);
  glUniform1i(glGetUniformLocation(letters_.id, "u_coverage"), 0);
  glGenVertexArrays(1, &vertex_array_);
  glGenBuffers(1, &vertices_);
  glGenBuffers(1, &indices_);
  glBindVertexArray(vertex_array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
  attribute(0, 2, GL_FLOAT, GL_FALSE, offsetof(Vertex, x));
  attribute(1, 2, GL_FLOAT, GL_FALSE, offsetof(Vertex, u));
  attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(Vertex, color));
  glGenTextures(1, &texture_);
}

Triangles::~Triangles() {
  glDeleteProgram(plain_.id);
  glDeleteProgram(letters_.id);
  glDeleteBuffers(1, &vertices_);
  glDeleteBuffers(1, &indices_);
  glDeleteVertexArrays(1, &vertex_array_);
  glDeleteTextures(1, &texture_);
}

void Triangles::set_letters(int width, int height, const std::uint8_t* coverage) {
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture_);
  // Letters lie between pixels, so they are read between texels.
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
  glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, coverage);
}

void Triangles::begin(const Picture& picture, std::span<const Vertex> vertices,
                      std::span<const std::uint32_t> indices) {
  picture_ = picture;
  bound_ = false;
  glBindVertexArray(vertex_array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  const auto bytes = [](std::size_t size) { return static_cast<GLsizeiptr>(size); };
  glBufferData(GL_ARRAY_BUFFER, bytes(vertices.size_bytes()), vertices.data(), GL_STREAM_DRAW);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, bytes(indices.size_bytes()), indices.data(),
               GL_STREAM_DRAW);
  for (const Program& program : {plain_, letters_}) {
    glUseProgram(program.id);
    glUniform2f(program.u_scale, 2 / picture.width, -2 / picture.height);
    glUniform2f(program.u_shift, -1, 1 + kTie * 2 / static_cast<float>(picture.pixels_high));
  }
}

void Triangles::bind(Ink ink) {
  if (!bound_) {
    glViewport(0, 0, picture_.pixels_wide, picture_.pixels_high);
    glEnable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    // The picture itself stays opaque.
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glBindSampler(0, 0);
    glBindVertexArray(vertex_array_);
  }
  if (!bound_ || ink != ink_) glUseProgram(ink == Ink::plain ? plain_.id : letters_.id);
  bound_ = true;
  ink_ = ink;
}

void Triangles::draw(const Box& box, std::size_t first, std::size_t count, Ink ink) {
  if (box.empty() || count == 0) return;
  bind(ink);
  glScissor(box.x0, picture_.pixels_high - box.y1, box.width(), box.height());
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(count), GL_UNSIGNED_INT,
                 offset(first * sizeof(std::uint32_t)));
}

}  // namespace gl
