// libarchive: streaming zip with zip64 and data descriptors.
#pragma once
#include <archive.h>
#include <archive_entry.h>
