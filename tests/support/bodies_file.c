#include "tests/support/bodies_file.h"

#include "tests/support/folder.h"
#include "tests/support/test.h"

#include <string.h>
#include <sys/resource.h>

const char *bodies_file_write(const char *name, const void *data, size_t size)
{
    const char *path = folder_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

unsigned char *bodies_file_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(*size + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *size, file), *size);
    fclose(file);
    return data;
}

void bodies_file_make(struct snapshot *out, size_t count)
{
    static const char *const names[] = {"gas", "halo", "stars"};
    enum { PARTS = 3 };
    *out = (struct snapshot){.time = 0.625, .time_known = true, .single = true};
    assert_ok(bodies_create(&out->bodies, count, PARTS));
    assert_ok(bodies_add_ids(out->bodies, count));
    for (size_t c = 0; c < PARTS; c++) {
        struct component *component = &out->bodies->components[c];
        component->first = c * count / PARTS;
        component->count = (c + 1) * count / PARTS - component->first;
        component->draw = c != 1;
        component->light = 1;
        snprintf(component->name, BODIES_NAME_MAX, "%s", names[c]);
    }
    for (size_t i = 0; i < count; i++) {
        out->bodies->id[i] = 1 + (i * 7919) % (2 * count + 1);
        out->bodies->mass[i] = (double)(float)(1e-3 * (1 + (double)(i * 37 % 101)));
        for (int k = 0; k < 3; k++) {
            const double part = (double)(i * (size_t)(k + 3) % 211) / 7;
            out->bodies->position[i][k] = (double)(float)(part - 15.3);
            out->bodies->velocity[i][k] = (double)(float)(0.1 * part * (k - 1) + 0.01);
        }
    }
}

static struct rlimit before;

void bodies_file_limit_memory(size_t bytes)
{
    before = (struct rlimit){.rlim_cur = 0};
#if !defined(__SANITIZE_ADDRESS__)
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    struct rlimit now = before;
    now.rlim_cur = pages * (size_t)sysconf(_SC_PAGESIZE) + bytes;
    assert_int_equal(setrlimit(RLIMIT_AS, &now), 0);
#else
    (void)bytes;
#endif
}

void bodies_file_lift_limit(void)
{
    if (before.rlim_cur != 0)
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

enum { ENOUGH = 16 << 20 };

void bodies_file_check_cuts(const struct format *format, const unsigned char *data, size_t size,
                            size_t step, bool text)
{
    for (size_t cut = 0; cut < size; cut += step) {
        struct snapshot snapshot;
        const char *path = bodies_file_write("cut", data, cut);
        bodies_file_limit_memory(ENOUGH);
        const enum status status = format_read(path, format, &snapshot);
        bodies_file_lift_limit();
        if (!(status == STATUS_USAGE || (text && status == STATUS_OK)))
            fail_msg("%s cut after %zu of %zu bytes: status %d, %s", format->name, cut, size,
                     (int)status, status_text());
        if (status != STATUS_OK && (!status_text()[0] || strchr(status_text(), '\n')))
            fail_msg("%s: '%s' is no sentence", format->name, status_text());
        snapshot_free(&snapshot);
    }
}

void bodies_file_check_refusal(const struct format *format, const void *data, size_t size,
                               const char *words)
{
    struct snapshot snapshot;
    const char *path = bodies_file_write("refused", data, size);
    bodies_file_limit_memory(ENOUGH);
    const enum status status = format_read(path, format, &snapshot);
    bodies_file_lift_limit();
    assert_fails(status, STATUS_USAGE, words);
    assert_null(snapshot.bodies);
}
