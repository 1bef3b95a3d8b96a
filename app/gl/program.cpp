#include "app/gl/program.h"

#include <stdexcept>
#include <string_view>
#include <utility>

#include "app/gl/context.h"
#include "app/gl/window.h"
#include "assets/assets.h"

namespace gl {
namespace {

// "  12  vec3 color;" for each line, as drivers name lines by number.
std::string numbered(std::string_view source) {
  std::string out;
  for (int line = 1; !source.empty(); ++line) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    const std::string number = std::to_string(line);
    out.append(number.size() < 4 ? 4 - number.size() : 0, ' ');
    out += number + "  " + std::string(source.substr(0, end)) + "\n";
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return out;
}

template <class Get, class GetLog>
std::string log_of(GLuint id, Get get, GetLog get_log) {
  GLint length = 0;
  get(id, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
  GLsizei written = 0;
  get_log(id, static_cast<GLsizei>(log.size()), &written, log.data());
  log.resize(static_cast<std::size_t>(written));
  return log;
}

// A debug context reports the same again.
void forget_what_is_thrown() { static_cast<void>(take_errors()); }

// The first line of a shader names the desktop's language; the one of OpenGL ES 3.0 wants to be
// told how exact numbers are.
std::string for_this_context(const std::string& source) {
  constexpr std::string_view kDesktop = "#version 330 core\n";
  constexpr std::string_view kEmbedded =
      "#version 300 es\nprecision highp float; precision highp int; precision highp sampler2D; "
      "precision highp usampler2D; precision highp isampler2D;\n#line 2\n";
  if (!is_embedded() || !source.starts_with(kDesktop)) return source;
  return std::string(kEmbedded) + source.substr(kDesktop.size());
}

GLuint compile(GLenum kind, const std::string& name, const std::string& desktop_source) {
  const std::string source = for_this_context(desktop_source);
  const GLuint shader = glCreateShader(kind);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint ok = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok == GL_TRUE) return shader;
  const std::string log = log_of(shader, glGetShaderiv, glGetShaderInfoLog);
  glDeleteShader(shader);
  forget_what_is_thrown();
  throw std::runtime_error("shader " + name + " does not compile:\n" + log + "\n" +
                           numbered(source));
}

}  // namespace

GLuint make_program(const std::string& name, const std::string& vertex,
                    const std::string& fragment) {
  const GLuint program = glCreateProgram();
  GLuint shaders[2] = {};
  try {
    shaders[0] = compile(GL_VERTEX_SHADER, name + ".vert", vertex);
    shaders[1] = compile(GL_FRAGMENT_SHADER, name + ".frag", fragment);
  } catch (...) {
    glDeleteShader(shaders[0]);
    glDeleteProgram(program);
    throw;
  }
  for (const GLuint shader : shaders) glAttachShader(program, shader);
  glLinkProgram(program);
  for (const GLuint shader : shaders) glDeleteShader(shader);
  GLint ok = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &ok);
  if (ok == GL_TRUE) return program;
  const std::string log = log_of(program, glGetProgramiv, glGetProgramInfoLog);
  glDeleteProgram(program);
  forget_what_is_thrown();
  throw std::runtime_error("shader program " + name + " does not link:\n" + log + "\n" +
                           numbered(vertex) + "\n" + numbered(fragment));
}

GLuint make_program(const std::string& name) {
  return make_program(name, std::string(assets::find("shaders/" + name + ".vert")),
                      std::string(assets::find("shaders/" + name + ".frag")));
}

Texture::~Texture() {
  if (id_ != 0) glDeleteTextures(1, &id_);
}

Texture::Texture(Texture&& other) noexcept { *this = std::move(other); }

Texture& Texture::operator=(Texture&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(width_, other.width_);
  std::swap(height_, other.height_);
  return *this;
}

void Texture::upload(int width, int height, GLint internal, GLenum format, GLenum type,
                     const void* data) {
  const bool fresh = id_ == 0;
  if (fresh) glGenTextures(1, &id_);
  glBindTexture(GL_TEXTURE_2D, id_);
  if (fresh) {
    // Integer textures are incomplete, and read as zero, under any other filter.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
  glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
  if (width == width_ && height == height_) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, format, type, data);
    return;
  }
  width_ = width;
  height_ = height;
  glTexImage2D(GL_TEXTURE_2D, 0, internal, width, height, 0, format, type, data);
}

void Texture::bind(int unit) const {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, id_);
  glBindSampler(static_cast<GLuint>(unit), 0);
}

}  // namespace gl
