/* NumPy archives (numpy.savez): a zip file with an array for each field of the bodies. Other common
 * names are accepted; other arrays with one number per body are additional columns. */
#include "sim/formats/format.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/formats/columns.h"
#include "sim/formats/further.h"
#include "sim/formats/npy.h"
#include "sim/formats/rows.h"
#include "sim/formats/snapshot.h"
#include "sim/formats/zip.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHUNK = 1 << 14 };

enum field { MASS, POSITION, VELOCITY, X, Y, Z, VX, VY, VZ, ID, GALAXY, TIME, FIELDS };

static const struct {
    const char *written; /* without .npy */
    unsigned columns;
} fields[FIELDS] = {
    [MASS] = {"mass", 1}, [POSITION] = {"pos", 3}, [VELOCITY] = {"vel", 3},  [X] = {"x", 1},
    [Y] = {"y", 1},       [Z] = {"z", 1},          [VX] = {"vx", 1},         [VY] = {"vy", 1},
    [VZ] = {"vz", 1},     [ID] = {"id", 1},        [GALAXY] = {"galaxy", 1}, [TIME] = {"time", 1},
};

static bool is_word(const char *word, const char *name, size_t length)
{
    return strlen(word) == length && strncasecmp(word, name, length) == 0;
}

static size_t stem(const char *member)
{
    const size_t length = strlen(member);
    return length > 4 && strcmp(member + length - 4, ".npy") == 0 ? length - 4 : 0;
}

/* FIELDS: not a known name. */
static enum field find_field(const char *member)
{
    static const enum field found[COLUMNS] = {MASS, X, Y, Z, VX, VY, VZ, GALAXY, ID};
    const size_t length = stem(member);
    const int vector = column_find_vector(member, length), column = column_find(member, length);
    if (vector >= 0)
        return vector == 1 ? POSITION : VELOCITY;
    if (column >= 0)
        return found[column];
    if (is_word("galaxies", member, length))
        return GALAXY;
    /* T is a temperature */
    return is_word("time", member, length) || (length == 1 && *member == 't') ? TIME : FIELDS;
}

/* ---- reading ---- */

struct npz {
    const char *path;
    struct zip *zip;
    struct snapshot *out;
    uint64_t count; /* 0: no array read yet */
    struct body_rows rows;
    bool seen[FIELDS];
    char *name; /* file and member, for messages */
    struct body_columns further;
    uint64_t further_rows[BODY_COLUMNS_MAX];
    bool rounded[BODY_COLUMNS_MAX];
};

static enum status take(void *from, void *to, size_t size)
{
    return zip_take(from, to, size);
}

/* Begins with the first array: allocates its number of rows only if the file is known to contain
 * them. */
static enum status begin(struct npz *npz, uint64_t count, const struct npy_header *header)
{
    const enum status status = body_rows_check(npz->path, count);
    if (status != STATUS_OK)
        return status;
    npz->count = count;
    const bool held = zip_holds(npz->zip, count * header->shape[1] * header->type.bytes);
    return body_rows_begin(&npz->rows, npz->out, held ? (size_t)count : 0);
}

/* Where the numbers of a field go; consecutive ones are `step` apart. */
static double *column(const struct bodies *bodies, enum field field, size_t *step)
{
    *step = field == MASS ? 1 : 3;
    return field == MASS              ? bodies->mass
           : field == POSITION        ? bodies->position[0]
           : field == VELOCITY        ? bodies->velocity[0]
           : field >= X && field <= Z ? &bodies->position[0][field - X]
                                      : &bodies->velocity[0][field - VX];
}

static enum status put_galaxy(const struct npz *npz, size_t i, double galaxy)
{
    if (!(galaxy >= 0 && galaxy < BODY_GALAXIES && galaxy == floor(galaxy)))
        return status_fail(STATUS_USAGE,
                           "%s: the galaxy of row %zu is %g, and its index is a whole number from "
                           "0 to %d",
                           npz->name, i + 1, galaxy, BODY_GALAXIES - 1);
    npz->out->group[i] = (uint32_t)galaxy;
    return STATUS_OK;
}

/* Stores numbers first .. first + count - 1 in file order, `across` per row. */
static enum status put(struct npz *npz, enum field field, const struct npy_header *header,
                       const unsigned char *bytes, size_t first, size_t count)
{
    const struct bodies *bodies = npz->out->bodies;
    enum status status = STATUS_OK;
    size_t step;
    if (field != ID && field != GALAXY) {
        double *to = column(bodies, field, &step);
        const bool vector = fields[field].columns == step; /* consecutive in memory */
        if (!header->by_columns || fields[field].columns == 1)
            npy_numbers(&header->type, bytes, count, to + first * (vector ? 1 : step),
                        vector ? 1 : step);
        else
            for (size_t i = first; i < first + count; i++)
                to[i % npz->count * step + i / npz->count] =
                    npy_number(&header->type, bytes, i - first);
        return STATUS_OK;
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (field == GALAXY)
            status = put_galaxy(npz, first + i, npy_number(&header->type, bytes, i));
        else if (bodies->id && !npy_id(&header->type, bytes, i, &bodies->id[first + i]))
            body_rows_refuse_id(&npz->rows, npz->name, first + i + 1,
                                npy_number(&header->type, bytes, i));
    return status;
}

static enum status read_numbers(struct npz *npz, enum field field, const struct npy_header *header)
{
    static const size_t most = CHUNK * sizeof(double);
    const uint64_t across = fields[field].columns, numbers = npz->count * across;
    unsigned char *bytes = malloc(most);
    enum status status =
        bytes ? STATUS_OK : status_fail(STATUS_RUNTIME, "no memory left for reading %s", npz->path);
    for (uint64_t first = 0; first < numbers && status == STATUS_OK; first += CHUNK) {
        const size_t count = numbers - first < CHUNK ? (size_t)(numbers - first) : CHUNK;
        /* in column order, the next number may be in any row */
        const uint64_t rows =
            header->by_columns ? first + count : (first + count + across - 1) / across;
        status = zip_take(npz->zip, bytes, count * header->type.bytes);
        if (status == STATUS_OK)
            status = body_rows_reach(&npz->rows, (size_t)(rows < npz->count ? rows : npz->count));
        if (status == STATUS_OK)
            status = put(npz, field, header, bytes, (size_t)first, count);
    }
    free(bytes);
    return status;
}

static enum status read_time(struct npz *npz, const struct npy_header *header)
{
    unsigned char bytes[8];
    if (header->shape[0] != 1 || header->shape[1] != 1)
        return status_fail(STATUS_USAGE, "%s is not one number", npz->name);
    const enum status status = zip_take(npz->zip, bytes, header->type.bytes);
    npz->out->time = status == STATUS_OK ? npy_number(&header->type, bytes, 0) : 0;
    npz->out->time_known = isfinite(npz->out->time);
    return status;
}

static enum status check(const struct npz *npz, enum field field, const struct npy_header *header)
{
    if (header->type.kind == 0)
        return status_fail(STATUS_USAGE,
                           "%s is an array of %s, expected floating-point or whole numbers",
                           npz->name, header->text[0] ? header->text : "no type");
    if (header->shape[1] != fields[field].columns || (field != TIME && header->dimensions == 0))
        return status_fail(STATUS_USAGE, "%s does not have the shape (N,%s)", npz->name,
                           fields[field].columns == 3 ? " 3" : "");
    if (npz->seen[field])
        return status_fail(STATUS_USAGE, "%s: two arrays are the %s; leave one of them out",
                           npz->name, fields[field].written);
    if (field != TIME && npz->count > 0 && header->shape[0] != npz->count)
        return status_fail(STATUS_USAGE, "%s has %" PRIu64 " rows, and another array has %" PRIu64,
                           npz->name, header->shape[0], npz->count);
    return STATUS_OK;
}

static enum status read_field(struct npz *npz, enum field field)
{
    struct npy_header header;
    struct snapshot *out = npz->out;
    enum status status = npy_header_read(take, npz->zip, npz->name, &header);
    if (status == STATUS_OK)
        status = check(npz, field, &header);
    if (status != STATUS_OK)
        return status;
    npz->seen[field] = true;
    if (field == TIME)
        return read_time(npz, &header);
    if (npz->count == 0)
        status = begin(npz, header.shape[0], &header);
    if (status == STATUS_OK && field == ID)
        status = bodies_add_ids(out->bodies, npz->rows.room);
    if (status == STATUS_OK && field == GALAXY)
        status = body_rows_add_galaxies(&npz->rows);
    if (field != ID && field != GALAXY && field != MASS)
        out->single = out->single && header.type.kind == 'f' && header.type.bytes <= sizeof(float);
    return status == STATUS_OK ? read_numbers(npz, field, &header) : status;
}

/* Fills the last additional column, whose memory grows with the input. */
static enum status read_values(struct npz *npz, const struct npy_header *header)
{
    struct body_column *column = &npz->further.list[npz->further.count - 1];
    bool *rounded = &npz->rounded[npz->further.count - 1];
    const size_t rows = (size_t)header->shape[0], bytes = header->type.bytes;
    size_t room = 0;
    unsigned char *numbers = memory_new(CHUNK, bytes);
    enum status status = STATUS_OK;
    for (size_t first = 0; first < rows && status == STATUS_OK; first += CHUNK) {
        const size_t count = rows - first < CHUNK ? rows - first : CHUNK;
        status = zip_take(npz->zip, numbers, count * bytes);
        if (status == STATUS_OK && first + count > room) {
            room = 2 * room > rows || zip_holds(npz->zip, (rows - first - count) * bytes)
                       ? rows
                       : first + count + room;
            if (!body_column_resize(&column->value, room, sizeof *column->value))
                status = status_fail(STATUS_RUNTIME, "no memory left for the %zu numbers of %s",
                                     room, npz->name);
        }
        if (status == STATUS_OK)
            npy_numbers(&header->type, numbers, count, column->value + first, 1);
        for (size_t i = 0; i < count && status == STATUS_OK && !*rounded; i++)
            *rounded = npy_rounds(&header->type, numbers, i);
    }
    free(numbers);
    return status;
}

/* Any other array becomes an additional column if it has one number per body. The number of bodies
 * may become known only with a later array. */
static enum status read_further(struct npz *npz, const char *member, bool *read)
{
    struct npy_header header;
    struct body_columns *further = &npz->further;
    char name[ZIP_NAME];
    (void)snprintf(name, sizeof name, "%.*s", (int)stem(member), member);
    *read = *name && further_wanted(npz->out, further, name);
    if (!*read)
        return STATUS_OK;
    enum status status = npy_header_read(take, npz->zip, npz->name, &header);
    const bool fits = status == STATUS_OK && header.type.kind != 0 && header.shape[1] == 1 &&
                      header.dimensions > 0 && header.shape[0] > 0 &&
                      header.shape[0] <= BODY_ROWS_MAX && header.fields == 0 &&
                      (npz->count == 0 || npz->count == header.shape[0]) &&
                      further->count < body_rows_columns((size_t)header.shape[0]);
    *read = fits;
    if (!fits) {
        snapshot_leave(npz->out, name);
        return STATUS_OK;
    }
    npz->further_rows[further->count] = header.shape[0];
    further_note(further, name, "", header.type.kind == 'f' && header.type.bytes <= sizeof(float));
    return read_values(npz, &header);
}

/* Arrays with one number per body become columns of the bodies. */
static void take_further(struct npz *npz)
{
    struct body_columns *further = &npz->further;
    size_t kept = 0;
    for (size_t c = 0; c < further->count; c++)
        if (npz->further_rows[c] == npz->count) {
            if (npz->rounded[c])
                snapshot_round(npz->out, further->list[c].name);
            further->list[kept++] = further->list[c];
        } else {
            log_info_once("%s: %s does not have one number for each body and is not read",
                          npz->path, further->list[c].name);
            snapshot_leave(npz->out, further->list[c].name);
            free(further->list[c].value);
        }
    further->count = kept;
    npz->out->bodies->columns = *further;
    *further = (struct body_columns){0};
}

/* A vector is one array or three. */
static enum status check_all(const struct npz *npz)
{
    static const char advice[] =
        "numpy.savez(file, mass=m, pos=x, vel=v) with the shapes (N,), (N, 3) and (N, 3)";
    const bool *seen = npz->seen;
    const bool any_x = seen[X] || seen[Y] || seen[Z], any_v = seen[VX] || seen[VY] || seen[VZ];
    const char *what = NULL;
    if (!seen[MASS])
        what = "no array of masses";
    else if (!seen[POSITION] && !(seen[X] && seen[Y] && seen[Z]))
        what = "no arrays of positions";
    else if (!seen[VELOCITY] && !(seen[VX] && seen[VY] && seen[VZ]))
        what = "no arrays of velocities";
    else if ((seen[POSITION] && any_x) || (seen[VELOCITY] && any_v))
        what = "a vector in one array and in others";
    return what ? status_fail(STATUS_USAGE, "%s has %s; save it as %s", npz->path, what, advice)
                : STATUS_OK;
}

static enum status read_members(struct npz *npz)
{
    char member[ZIP_NAME], others[256] = "";
    int count = 0;
    for (;;) {
        enum status status = zip_next(npz->zip, member);
        if (status != STATUS_OK)
            return status;
        if (!*member)
            break;
        const enum field field = find_field(member);
        free(npz->name);
        npz->name = text_format("%s: %s", npz->path, member);
        bool read = true;
        const bool again = field == ID && npz->seen[ID]; /* the first one counts */
        status =
            field < FIELDS && !again ? read_field(npz, field) : read_further(npz, member, &read);
        if (!read) {
            text_list(others, sizeof others, member);
            if (stem(member) == 0)
                snapshot_leave(npz->out, member);
            count++;
        }
        if (status != STATUS_OK)
            return status;
    }
    if (count > 0)
        log_info("%s: %s %s not read", npz->path, others, count == 1 ? "is" : "are");
    return check_all(npz);
}

static enum status read_file(struct npz *npz)
{
    struct snapshot *out = npz->out;
    out->single = true;
    enum status status = read_members(npz);
    if (status != STATUS_OK)
        return status;
    out->bodies->count = (size_t)npz->count;
    take_further(npz);
    status = bodies_check(out->bodies, 0, out->bodies->count, 0, npz->path);
    body_rows_end(&npz->rows);
    return status;
}

static enum status read(const char *path, struct snapshot *out)
{
    struct body_input *input;
    struct npz npz = {.path = path, .out = out};
    enum status status = body_input_open(&input, path);
    if (status != STATUS_OK)
        return status;
    npz.zip = zip_open(input, path);
    status = read_file(&npz);
    free(npz.name);
    body_columns_free(&npz.further);
    zip_close(&npz.zip);
    body_input_close(&input);
    return status;
}

/* ---- writing ---- */

/* The source of a member's numbers, generated in blocks. They are generated twice, because the
 * checksum precedes them. */
struct source {
    const struct snapshot *snapshot;
    enum field field;
    char kind;
    unsigned bytes;
    size_t count; /* of numbers */
    const uint32_t *galaxy;
    const struct body_column *further; /* NULL: `field` applies */
};

static void make_numbers(const struct source *source, size_t first, size_t count, void *to)
{
    const struct bodies *bodies = source->snapshot->bodies;
    size_t step;
    const double *numbers = source->further      ? source->further->value
                            : source->field < ID ? column(bodies, source->field, &step)
                                                 : NULL;
    if (source->field == ID)
        memcpy(to, bodies->id + first, count * sizeof *bodies->id);
    else if (source->field == GALAXY)
        memcpy(to, source->galaxy + first, count * sizeof *source->galaxy);
    else if (source->field == TIME)
        memcpy(to, &source->snapshot->time, sizeof source->snapshot->time);
    else if (source->bytes == sizeof(double))
        memcpy(to, numbers + first, count * sizeof(double));
    else
        for (size_t i = 0; i < count; i++)
            ((float *)to)[i] = (float)numbers[first + i];
}

static uint32_t each_chunk(const struct source *source, struct body_output *output, uint32_t sum)
{
    double *numbers = memory_new(CHUNK, sizeof *numbers);
    for (size_t first = 0; first < source->count; first += CHUNK) {
        const size_t count = source->count - first < CHUNK ? source->count - first : CHUNK;
        make_numbers(source, first, count, numbers);
        if (output)
            body_output_put(output, numbers, count * source->bytes);
        else
            sum = zip_sum(sum, numbers, count * source->bytes);
    }
    free(numbers);
    return sum;
}

static void put_member(struct zip_writer *zip, struct body_output *output,
                       const struct source *source)
{
    const unsigned columns = source->further ? 1 : fields[source->field].columns;
    const uint64_t shape[2] = {source->count / columns, columns};
    unsigned char header[NPY_HEADER];
    char name[BODY_COLUMN_NAME + 8];
    snprintf(name, sizeof name, "%s.npy",
             source->further ? source->further->name : fields[source->field].written);
    npy_header_make(header, source->kind, source->bytes,
                    source->field == TIME ? 0
                    : columns == 1        ? 1
                                          : 2,
                    shape);
    const uint32_t sum = each_chunk(source, NULL, zip_sum(0, header, sizeof header));
    zip_member(zip, name, sizeof header + source->count * source->bytes, sum);
    body_output_put(output, header, sizeof header);
    (void)each_chunk(source, output, 0);
}

static void put_vectors(struct zip_writer *zip, struct body_output *output,
                        const struct snapshot *snapshot)
{
    for (enum field f = MASS; f <= VELOCITY; f++) {
        size_t step;
        const size_t count = snapshot->bodies->count * fields[f].columns;
        const double *numbers = column(snapshot->bodies, f, &step);
        put_member(zip, output,
                   &(struct source){.snapshot = snapshot,
                                    .field = f,
                                    .kind = 'f',
                                    .bytes = snapshot_narrow(snapshot, numbers, count) ? 4 : 8,
                                    .count = count});
    }
}

static enum status put_galaxies(struct zip_writer *zip, struct body_output *output,
                                const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    uint32_t *galaxy = malloc(bodies->count * sizeof *galaxy);
    if (!galaxy)
        return status_fail(STATUS_RUNTIME, "the galaxies of %zu bodies do not fit in memory",
                           bodies->count);
    for (size_t c = 0, i = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++)
            galaxy[i] = (uint32_t)c;
    put_member(zip, output,
               &(struct source){.snapshot = snapshot,
                                .field = GALAXY,
                                .kind = 'i',
                                .bytes = 4,
                                .count = bodies->count,
                                .galaxy = galaxy});
    free(galaxy);
    return STATUS_OK;
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    struct zip_writer *zip = zip_begin(output);
    put_vectors(zip, output, snapshot);
    if (bodies->id)
        put_member(zip, output,
                   &(struct source){.snapshot = snapshot,
                                    .field = ID,
                                    .kind = 'u',
                                    .bytes = 8,
                                    .count = bodies->count});
    if (bodies->component_count > 1)
        status = put_galaxies(zip, output, snapshot);
    for (size_t c = 0; c < bodies->columns.count && status == STATUS_OK; c++) {
        const struct body_column *further = &bodies->columns.list[c];
        put_member(zip, output,
                   &(struct source){.snapshot = snapshot,
                                    .kind = 'f',
                                    .bytes = further_narrow(further, bodies->count) ? 4 : 8,
                                    .count = bodies->count,
                                    .further = further});
    }
    if (snapshot->time_known)
        put_member(zip, output,
                   &(struct source){
                       .snapshot = snapshot, .field = TIME, .kind = 'f', .bytes = 8, .count = 1});
    zip_end(&zip);
    return body_output_close(&output, status);
}

/* Recognizes a zip file whose first member is an array. */
static bool probe(const struct format_head *head)
{
    enum { NAME = 30, LENGTH = 26 };
    const unsigned char *bytes = head->bytes;
    if (head->size < NAME || memcmp(bytes, "PK\3\4", 4) != 0)
        return false;
    const size_t length = bytes[LENGTH] + 256u * bytes[LENGTH + 1];
    return length > 4 && NAME + length <= head->size &&
           memcmp(bytes + NAME + length - 4, ".npy", 4) == 0;
}

const struct format format_npz = {
    .name = "npz",
    .doc = "NumPy's archive: arrays mass, pos, vel and, where there are some, id, galaxy and time",
    .extensions = "npz",
    .probe = probe,
    .read = read,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_IDS | KEEPS_TIME | KEEPS_DOUBLES | KEEPS_COLUMNS,
};
