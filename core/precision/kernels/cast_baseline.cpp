#define ATTNSCOPE_CASTS kCastBaseline
#include "core/precision/kernels/casts.inl"
