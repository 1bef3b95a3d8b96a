#define ATTNSCOPE_CASTS kCastV3
#include "core/precision/kernels/casts.inl"
