#define ATTNSCOPE_CASTS kCastV4
#include "core/precision/kernels/casts.inl"
