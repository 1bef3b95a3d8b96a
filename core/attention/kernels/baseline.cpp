#define ATTNSCOPE_TABLE kBaseline
#define ATTNSCOPE_NAME "baseline"
#include "core/attention/kernels/kernels.inl"
