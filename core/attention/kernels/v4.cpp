#define ATTNSCOPE_TABLE kV4
#define ATTNSCOPE_NAME "v4"
#include "core/attention/kernels/kernels.inl"
