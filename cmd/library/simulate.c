/* Bodies are exchanged with the program as NumPy files (.npy): a header, then mass, x, y, z, vx,
 * vy, vz of each body in double. */
#include "cmd/library/gravreel.h"
#include "cmd/library/program.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 128, COLUMNS = 7, PATH = 512 };

static void get_row(double row[COLUMNS], size_t i, const double *mass, const double *position,
                    const double *velocity)
{
    row[0] = mass[i];
    memcpy(row + 1, position + 3 * i, 3 * sizeof *row);
    memcpy(row + 4, velocity + 3 * i, 3 * sizeof *row);
}

/* Writes the bodies into a file without a name and seeks its beginning; NULL: failed, see errno. */
static FILE *write_bodies(size_t bodies, const double *mass, const double *position,
                          const double *velocity)
{
    char head[HEAD] = "\x93NUMPY\x01\x00\x76\x00", text[HEAD - 10];
    FILE *file = tmpfile();
    double row[COLUMNS];
    if (!file)
        return NULL;
    snprintf(text, sizeof text, "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %d), }",
             bodies, COLUMNS);
    snprintf(head + 10, sizeof text, "%-*s", (int)sizeof text - 1, text);
    head[HEAD - 1] = '\n';
    bool done = fwrite(head, sizeof head, 1, file) == 1;
    for (size_t i = 0; i < bodies && done; i++) {
        get_row(row, i, mass, position, velocity);
        done = fwrite(row, sizeof row, 1, file) == 1;
    }
    if (done && fflush(file) == 0 && fseek(file, 0, SEEK_SET) == 0 &&
        lseek(fileno(file), 0, SEEK_SET) == 0)
        return file;
    fclose(file);
    return NULL;
}

static int read_bodies(const char *path, size_t bodies, double *position, double *velocity)
{
    char head[HEAD];
    double row[COLUMNS];
    FILE *file = fopen(path, "rb");
    bool done = file && fread(head, sizeof head, 1, file) == 1;
    for (size_t i = 0; i < bodies && done; i++) {
        done = fread(row, sizeof row, 1, file) == 1;
        memcpy(position + 3 * i, row + 1, done ? 3 * sizeof *row : 0);
        memcpy(velocity + 3 * i, row + 4, done ? 3 * sizeof *row : 0);
    }
    if (file)
        fclose(file);
    return done ? 0 : program_fail(FAILED, "cannot read the moved bodies from '%s'", path);
}

static void print(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void print(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (program_print(out, size, format, args) < 0)
        *out = '\0';
    va_end(args);
}

static int run(double until, const char *const *options, const char *pattern, FILE *input)
{
    char time[32], said[SENTENCE_MAX];
    struct program program;
    print(time, sizeof time, "%.17g", until);
    const char *const more[] = {"--bodies-from", "-", "--every", time, "--until", time, "-y", "-o",
                                pattern,         NULL};
    int code = program_start(&program, "simulate", options, more, fileno(input));
    if (code == 0) {
        code = program_wait(&program, said);
        if (code != 0)
            program_fail(code, "%s", said);
    }
    program_close(&program);
    return code;
}

__attribute__((visibility("default"))) int gravreel_simulate(size_t bodies, const double *mass,
                                                             double *position, double *velocity,
                                                             double until,
                                                             const char *const *options)
{
    const char *where = getenv("TMPDIR");
    char folder[PATH - 32], path[PATH], first[PATH], pattern[PATH];
    program_fail(0, "%s", "");
    if (bodies == 0 || !mass || !position || !velocity)
        return program_fail(FAILED, "there are no bodies to simulate, or an array is NULL");
    if (!(until > 0 && until - until == 0))
        return program_fail(FAILED, "bodies are moved to the time %g; use a time above 0", until);
    const int length =
        snprintf(folder, sizeof folder, "%s/gravreel-XXXXXX", where && *where ? where : "/tmp");
    if (length >= (int)sizeof folder || !mkdtemp(folder))
        return program_fail(FAILED, "cannot make a folder in $TMPDIR or /tmp: %s",
                            strerror(length >= (int)sizeof folder ? ENAMETOOLONG : errno));
    snprintf(first, sizeof first, "%s/bodies_0.npy", folder);
    snprintf(path, sizeof path, "%s/bodies_1.npy", folder);
    snprintf(pattern, sizeof pattern, "%s/bodies_%%d.npy", folder);
    FILE *input = write_bodies(bodies, mass, position, velocity);
    int code =
        input ? run(until, options, pattern, input)
              : program_fail(FAILED, "cannot write the bodies into a file: %s", strerror(errno));
    if (input)
        fclose(input);
    if (code == 0)
        code = read_bodies(path, bodies, position, velocity);
    unlink(first);
    unlink(path);
    rmdir(folder);
    return code;
}
