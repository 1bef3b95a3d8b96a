#define ATTNSCOPE_TABLE kV3
#define ATTNSCOPE_NAME "v3"
#include "core/attention/kernels/kernels.inl"
