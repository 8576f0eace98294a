#include "tests/support/files/bodies_file.h"

#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/memory.h"

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

static void assert_slice(const struct snapshot *slice, const struct snapshot *whole)
{
    assert_ptr_equal(slice->format, whole->format);
    assert_true(slice->time == whole->time && slice->time_known == whole->time_known);
    assert_memory_equal(slice->box, whole->box, sizeof whole->box);
    assert_true(slice->expansion == whole->expansion);
    assert_true(slice->single == whole->single && slice->units_assumed == whole->units_assumed);
    assert_memory_equal(&slice->units, &whole->units, sizeof whole->units);
    assert_string_equal(slice->unread ? slice->unread : "", whole->unread ? whole->unread : "");
    assert_null(slice->group);
    assert_true(!slice->bodies->id == !whole->bodies->id);
    assert_int_equal(slice->bodies->component_count, whole->bodies->component_count);
    assert_int_equal(slice->bodies->columns.count, whole->bodies->columns.count);
    for (size_t c = 0; c < whole->bodies->columns.count; c++) {
        const struct body_column *a = &slice->bodies->columns.list[c],
                                 *b = &whole->bodies->columns.list[c];
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->unit, b->unit);
        assert_int_equal(a->single, b->single);
    }
}

static void assert_rows(const struct bodies *a, size_t from, const struct bodies *b, size_t first,
                        size_t count)
{
    assert_memory_equal(a->mass + from, b->mass + first, count * sizeof *a->mass);
    assert_memory_equal(a->position + from, b->position + first, count * sizeof *a->position);
    assert_memory_equal(a->velocity + from, b->velocity + first, count * sizeof *a->velocity);
    if (a->id)
        assert_memory_equal(a->id + from, b->id + first, count * sizeof *a->id);
    for (size_t c = 0; c < a->columns.count; c++)
        assert_memory_equal(a->columns.list[c].value + from, b->columns.list[c].value + first,
                            count * sizeof(double));
}

/* The slice's components follow `done` rows of each in the slices before it. */
static void check_slice(const struct snapshot *slice, const struct snapshot *whole, unsigned part,
                        unsigned parts, size_t *done)
{
    size_t first = 0;
    assert_slice(slice, whole);
    for (size_t c = 0; c < whole->bodies->component_count; c++) {
        const struct component *all = &whole->bodies->components[c];
        struct component named = slice->bodies->components[c];
        const size_t count = named.count;
        assert_int_equal(slice->whole[c], all->count);
        assert_int_equal(named.first, first);
        assert_int_equal(done[c], all->count * part / parts);
        assert_int_equal(count, all->count * (part + 1) / parts - done[c]);
        assert_rows(slice->bodies, first, whole->bodies, all->first + done[c], count);
        named.first = all->first;
        named.count = all->count;
        assert_memory_equal(&named, all, sizeof named);
        first += count;
        done[c] += count;
    }
    assert_int_equal(slice->bodies->count, first);
}

void bodies_file_check_slices(const char *path, const struct format *format)
{
    static const struct column_choice choice = {.all = true, .kernel = true};
    static const unsigned numbers[] = {1, 2, 3, 7, 24};
    struct snapshot whole, slice;
    const enum status status = format_read_chosen(path, format, &choice, &whole);
    char *why = memory_text(status_text());
    if (status == STATUS_OK)
        snapshot_sort(&whole);
    assert_null(whole.whole);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        size_t *done =
            memory_new(status == STATUS_OK ? whole.bodies->component_count : 1, sizeof *done);
        for (unsigned part = 0; part < numbers[n]; part++) {
            const enum status found =
                format_read_slice(path, format, &choice, part, numbers[n], &slice);
            if (found != status || (status != STATUS_OK && strcmp(status_text(), why) != 0))
                fail_msg("%s, slice %u of %u: status %d instead of %d, '%s' instead of '%s'", path,
                         part, numbers[n], (int)found, (int)status, status_text(), why);
            if (status == STATUS_OK)
                check_slice(&slice, &whole, part, numbers[n], done);
            snapshot_free(&slice);
        }
        free(done);
    }
    free(why);
    snapshot_free(&whole);
}
