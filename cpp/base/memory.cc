#include "base/memory.h"

#include <unistd.h>

#include <cstdio>

namespace asnets {

std::size_t resident_bytes() {
    std::FILE *file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr) return 0;
    unsigned long size = 0;
    unsigned long resident = 0;
    const int found = std::fscanf(file, "%lu %lu", &size, &resident);
    std::fclose(file);
    return found == 2 ? resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace asnets
