#include "sim/formats/columns.h"

#include <math.h>
#include <string.h>
#include <strings.h>

const char *const column_names[COLUMNS] = {"mass", "x", "y", "z", "vx", "vy", "vz", "galaxy", "id"};

static const struct {
    const char *word;
    int column;
} others[] = {
    {"m", 0},
    {"masses", 0},
    {"v_x", 4},
    {"v_y", 5},
    {"v_z", 6},
    {"x_pos", 1},
    {"y_pos", 2},
    {"z_pos", 3},
    {"group", 7},
    {"ids", COLUMN_ID},
    {"pid", COLUMN_ID},
    {"iord", COLUMN_ID},
    {"particleid", COLUMN_ID},
    {"particleids", COLUMN_ID},
    {"particle_id", COLUMN_ID},
    {"particle_ids", COLUMN_ID},
    {"source_id", COLUMN_ID},
    {"sourceid", COLUMN_ID},
    {"gaia_id", COLUMN_ID},
    {"gaia_source_id", COLUMN_ID},
    {"star_id", COLUMN_ID},
    {"body_id", COLUMN_ID},
    {"object_id", COLUMN_ID},
    {"obj_id", COLUMN_ID},
    {"objid", COLUMN_ID},
};

static bool same(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && strncasecmp(word, name, length) == 0;
}

static const struct {
    const char *word;
    int column; /* of its first component */
} vectors[] = {
    {"pos", 1}, {"position", 1}, {"positions", 1}, {"coordinates", 1},
    {"xyz", 1}, {"vel", 4},      {"velocity", 4},  {"velocities", 4},
};

/* The component of a vector: pos_x, velx, Coordinates_0. */
static int find_component(const char *word, size_t length)
{
    const char component = length > 0 ? word[length - 1] : 0;
    const bool apart = length > 1 && word[length - 2] == '_';
    const size_t end = apart ? 2 : 1;
    const int first = length > end ? column_find_vector(word, length - end) : -1;
    if (first >= 0 && memchr("xyzXYZ", component, 6))
        return first + (component | 0x20) - 'x';
    return first >= 0 && apart && memchr("012", component, 3) ? first + component - '0' : -1;
}

int column_find(const char *word, size_t length)
{
    for (int c = 0; c < COLUMNS; c++)
        if (same(word, length, column_names[c]))
            return c;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (same(word, length, others[i].word))
            return others[i].column;
    return find_component(word, length);
}

int column_find_vector(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (same(word, length, vectors[i].word))
            return vectors[i].column;
    return -1;
}

bool column_is_galaxy(double value)
{
    return value >= 0 && value < BODY_GALAXIES && value == floor(value);
}

enum status column_row(const double value[COLUMNS_PLAIN], bool has_galaxy, struct body_row *row)
{
    for (int c = 0; c < COLUMNS_NEEDED; c++)
        if (!isfinite(value[c]))
            return status_fail(STATUS_USAGE, "%s is not a finite number", column_names[c]);
    if (value[0] < 0)
        return status_fail(STATUS_USAGE, "the mass is %g, and none can be negative", value[0]);
    const double galaxy = has_galaxy ? value[COLUMNS_NEEDED] : 0;
    if (!column_is_galaxy(galaxy))
        return status_fail(STATUS_USAGE,
                           "the galaxy is %g, and its index is a whole number from 0 to %d", galaxy,
                           BODY_GALAXIES - 1);
    row->mass = value[0];
    memcpy(row->position, value + 1, sizeof row->position);
    memcpy(row->velocity, value + 4, sizeof row->velocity);
    row->galaxy = (uint32_t)galaxy;
    return STATUS_OK;
}
