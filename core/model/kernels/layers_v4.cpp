#define ATTNSCOPE_TABLE kV4
#include "core/model/kernels/layers.inl"
