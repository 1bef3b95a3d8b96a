// Before every C++ source: what the standard library of this compiler lacks.
#pragma once
#ifdef __cplusplus
#include <charconv>

#ifndef __cpp_lib_to_chars
#include <fast_float/fast_float.h>

#include <type_traits>

namespace std {
template <class T>
requires is_floating_point_v<T> from_chars_result from_chars(const char* first, const char* last,
                                                             T& value,
                                                             chars_format = chars_format::general) {
  const auto read = fast_float::from_chars(first, last, value);
  return {read.ptr, read.ec};
}
}  // namespace std
#endif
#endif
