// What posix/calls.h has is asked for by sources that a browser has otherwise.
#include "app/system/posix/calls.h"
