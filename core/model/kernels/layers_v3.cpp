#define ATTNSCOPE_TABLE kV3
#include "core/model/kernels/layers.inl"
