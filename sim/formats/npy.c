/* NumPy's arrays: a .npy file of N x 7 or N x 8 numbers, float32 or float64, row by row. */
#include "sim/formats/format.h"

#include "sim/formats/columns.h"
#include "sim/formats/input.h"
#include "sim/formats/npy_header.h"
#include "sim/formats/output.h"
#include "sim/formats/rows.h"

#include <inttypes.h>
#include <string.h>

struct npy {
    const char *path;
    struct body_input *input;
    struct npy_header header;
};

static enum status check(const struct npy *npy)
{
    const struct npy_header *header = &npy->header;
    if (header->kind != 'f')
        return status_fail(STATUS_USAGE,
                           "%s is an array of %s, expected '<f4' or '<f8'; save it with "
                           ".astype('<f8')",
                           npy->path, header->type[0] ? header->type : "no type");
    if (header->by_columns)
        return status_fail(STATUS_USAGE,
                           "%s is stored column by column; save numpy.ascontiguousarray(a) instead",
                           npy->path);
    if (header->dimensions != 2 || header->shape[0] == 0 ||
        (header->shape[1] != COLUMNS_PLAIN && header->shape[1] != COLUMNS_NEEDED))
        return status_fail(STATUS_USAGE,
                           "%s has not the shape (N, 7) or (N, 8) of mass x y z vx vy vz and the "
                           "galaxy's index",
                           npy->path);
    return STATUS_OK;
}

static enum status take(void *from, void *to, size_t size)
{
    return body_input_take(from, to, size, "its header");
}

/* Rows from `first` on, whose numbers are one after the other. */
static enum status add_rows(const struct npy *npy, struct body_rows *rows, uint64_t first,
                            const double *numbers, size_t count)
{
    const size_t columns = npy->header.shape[1];
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct body_row row = {.mass = 0};
        status = column_row(numbers + i * columns, columns == COLUMNS_PLAIN, &row);
        if (status != STATUS_OK)
            return status_prefix(status, "%s, row %" PRIu64, npy->path, first + i);
        status = body_rows_add(rows, &row);
    }
    return status;
}

static enum status read_rows(const struct npy *npy, struct body_rows *rows)
{
    enum { BLOCK = 256 };
    unsigned char bytes[BLOCK * COLUMNS_PLAIN * sizeof(double)];
    double numbers[BLOCK * COLUMNS_PLAIN];
    const uint64_t columns = npy->header.shape[1], all = npy->header.shape[0];
    enum status status = STATUS_OK;
    for (uint64_t first = 0; first < all && status == STATUS_OK; first += BLOCK) {
        const size_t count = all - first < BLOCK ? (size_t)(all - first) : BLOCK;
        status =
            body_input_take(npy->input, bytes, count * columns * npy->header.bytes, "its numbers");
        if (status != STATUS_OK)
            return status;
        npy_numbers(&npy->header, bytes, count * columns, numbers, 1);
        status = add_rows(npy, rows, first, numbers, count);
    }
    return status == STATUS_OK ? body_input_end(npy->input) : status;
}

/* Room for as many rows as the shape says only where the file is known to be that long. */
static enum status read_array(struct npy *npy, struct snapshot *out)
{
    const uint64_t count = npy->header.shape[0], columns = npy->header.shape[1];
    struct body_rows rows = {.has_galaxies = columns == COLUMNS_PLAIN};
    const bool known = body_input_left(npy->input) != UINT64_MAX;
    enum status status = body_rows_check(npy->path, count);
    if (status == STATUS_OK)
        status = body_input_promise(npy->input, count, columns * npy->header.bytes, "its numbers");
    if (status == STATUS_OK)
        status = body_rows_begin(&rows, out, known ? (size_t)count : 0);
    if (status == STATUS_OK)
        status = read_rows(npy, &rows);
    if (status == STATUS_OK)
        body_rows_end(&rows);
    return status;
}

static enum status read(const char *path, struct snapshot *out)
{
    struct npy npy = {.path = path};
    enum status status = body_input_open(&npy.input, path);
    if (status == STATUS_OK)
        status = npy_header_read(take, npy.input, path, &npy.header);
    if (status == STATUS_OK)
        status = check(&npy);
    if (status == STATUS_OK)
        status = read_array(&npy, out);
    out->single = npy.header.bytes == sizeof(float);
    body_input_close(&npy.input);
    return status;
}

static bool is_narrow(const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    return snapshot_narrow(snapshot, bodies->mass, bodies->count) &&
           snapshot_narrow(snapshot, bodies->position[0], 3 * bodies->count) &&
           snapshot_narrow(snapshot, bodies->velocity[0], 3 * bodies->count);
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const bool galaxies = bodies->component_count > 1, single = is_narrow(snapshot);
    const uint64_t shape[2] = {bodies->count, galaxies ? COLUMNS_PLAIN : COLUMNS_NEEDED};
    unsigned char header[NPY_HEADER];
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    npy_header_make(header, 'f', single ? 4 : 8, 2, shape);
    body_output_put(output, header, sizeof header);
    for (size_t c = 0, i = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++) {
            const double *x = bodies->position[i], *v = bodies->velocity[i];
            const double row[COLUMNS_PLAIN] = {bodies->mass[i], x[0], x[1], x[2], v[0], v[1], v[2],
                                               (double)c};
            for (size_t k = 0; k < shape[1]; k++) {
                const float narrow = (float)row[k];
                if (single)
                    body_output_put(output, &narrow, sizeof narrow);
                else
                    body_output_put(output, &row[k], sizeof row[k]);
            }
        }
    return body_output_close(&output, STATUS_OK);
}

static bool probe(const struct format_head *head)
{
    return head->size >= NPY_MAGIC && memcmp(head->bytes, npy_magic, NPY_MAGIC) == 0;
}

const struct format format_npy = {
    .name = "npy",
    .doc = "a NumPy array of N x 7 or N x 8 float32 or float64",
    .extensions = "npy",
    .probe = probe,
    .read = read,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_DOUBLES,
};
