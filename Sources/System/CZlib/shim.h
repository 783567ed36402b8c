// zlib, with its macros as inline functions.
#pragma once
#include <zlib.h>
