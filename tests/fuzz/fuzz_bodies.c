/* Tables, CSV files and NumPy arrays of bodies. */
#include "tests/fuzz/target.h"

#include "base/log.h"
#include "sim/formats/formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    log_set_level(LOG_ERROR);
    const int file = memfd_create("bodies", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const struct bodies_params params = {.file = path, .use = ""};
    struct bodies *bodies;
    if (bodies_read(&params, &bodies) == STATUS_OK)
        for (size_t i = 0; i < bodies->count; i++)
            fuzz_promise(isfinite(bodies->position[i][0]) && bodies->mass[i] >= 0,
                         "what is read is finite");
    bodies_destroy(&bodies);
    close(file);
    return 0;
}

static void take_packed(fuzz_take take, void *user, const void *data, size_t size)
{
    enum { GZIP = 16 + MAX_WBITS };
    unsigned char packed[1024];
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)data,
                       .avail_in = (uInt)size,
                       .next_out = packed,
                       .avail_out = sizeof packed};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) == Z_OK &&
        deflate(&stream, Z_FINISH) == Z_STREAM_END)
        take(user, packed, stream.total_out);
    deflateEnd(&stream);
}

void fuzz_seeds(fuzz_take take, void *user)
{
    static const char *const texts[] = {
        "# mass x y z vx vy vz\n1 0 0 0 0 0 0\n0.5 1 2 3 -1e-3 2 3 \n",
        "1 0 0 0 0 0 0 0\n0.5 1 2 3 -1e-3 2 3 1\n",
        "id,mass,x,y,z,vx,vy,\"vz\",galaxy\n1,1,0,0,0,0,0,0,0\n2,1,0,0,0,0,0,0,3\n",
        "m;x;y;z;vx;vy;vz\r\n1;0;0;0;0;0;0\r\n",
        "m,x_au,y_au,z_au,vx_au_per_d,vy [$\\mathrm{au~d^{-1}}$],vz (au / day)\n1,0,0,0,0,0,0\n",
        "2\n3\n0.5\n1\n1\n0 0 0\n1 0 0\n0 0 0\n0 1 0\n",
        "0\n1\n0.5\n0 1 0 0 0 0 0 0\n",
        "0 1 0.5\n1 0 0 0 0 0 0 0 0 1 0\n",
        "\xef\xbb\xbf# with a mark\n\"m\",x,y,z,vx,vy,vz [km/s]\n1,0,0,0,0,0,0\n",
        "# %ECSV 1.0\n# - {name: x, unit: pc, datatype: float64}\nx y z vx vy vz mass\n1 0 0 0 0 0 "
        "1\n",
        "# 1 x Position [pc]\n# 2: y\n# (3) z\r# 4 vx\n# 5 vy\n# 6 vz\n# 7 mass\n1 2 3 4 5 6 7\n",
        "# x / pc y [pc] z (pc) vx vy vz mass id\n# pc pc pc km/s km/s km/s Msun -\n1 2 3 4 5 6 7 "
        "8\n",
        "x\ty\tz\tvx\tvy\tvz\tmass\tsource_id\r1,5\t2\t\"3\"\t4D-1\t5.0-114\t6\t7\t1e3\t\r",
        "id,x,y,z,vx,vy,vz,mass,n\n18446744073709551615,'1',2,3,4,5,6,7,\"a \"\"b\"\", c\"\n",
        "3 0\n# x y z vx vy vz m\n1 2 3 4 5 6 7\n",
    };
    static const char header[] =
        "\x93NUMPY\1\0\x40\0{'descr': '<f8', 'fortran_order': False, 'shape': (2, 7), }     \n";
    static const double numbers[14] = {1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
    char array[sizeof header - 1 + sizeof numbers];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        take(user, texts[i], strlen(texts[i]));
    char wide[512];
    size_t letters = 0;
    for (const char *at = texts[3]; *at && letters + 1 < sizeof wide; at++) {
        wide[letters++] = *at;
        wide[letters++] = '\0';
    }
    take(user, wide, letters);
    memcpy(array, header, sizeof header - 1);
    memcpy(array + sizeof header - 1, numbers, sizeof numbers);
    take(user, array, sizeof array);
    array[6] = 2; /* of format 2, whose header's length takes two more bytes */
    take(user, array, sizeof array);
    take_packed(take, user, array, sizeof array);
    take_packed(take, user, texts[2], strlen(texts[2]));
}
