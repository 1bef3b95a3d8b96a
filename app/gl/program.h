// Programs and textures of GL: what app/gl's own sources share.
#pragma once

#include <glad/gl.h>

#include <string>

namespace gl {

// Compiles and links shaders/NAME.vert and shaders/NAME.frag. Throws std::runtime_error with the
// driver's log and the numbered source.
GLuint make_program(const std::string& name);

// The same from sources; `name` is for the message.
GLuint make_program(const std::string& name, const std::string& vertex,
                    const std::string& fragment);

// A two-dimensional texture that is read by texelFetch only: no filter, no mipmaps.
class Texture {
 public:
  Texture() = default;
  ~Texture();
  Texture(Texture&& other) noexcept;
  Texture& operator=(Texture&& other) noexcept;

  // Makes room for width x height texels if it has another size, and writes them; `data` is
  // tightly packed. Binds the texture to the active unit.
  void upload(int width, int height, GLint internal, GLenum format, GLenum type, const void* data);
  void bind(int unit) const;

 private:
  GLuint id_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace gl
