#define ATTNSCOPE_TABLE kBaseline
#include "core/model/kernels/layers.inl"
