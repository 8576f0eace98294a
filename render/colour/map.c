#include "render/colour/map.h"

#include "base/choice.h"
#include "render/params.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* clang-format off */
static const struct colour_map plasma = {
    .name = "plasma",
    .doc = "blue over pink and orange to yellow",
    .shown = {
        {13, 8, 135}, {34, 6, 144}, {49, 5, 150}, {63, 4, 156}, {76, 2, 161}, {89, 1, 165},
        {102, 0, 167}, {114, 1, 168}, {126, 3, 168}, {137, 9, 166}, {149, 17, 162}, {159, 26, 156},
        {169, 35, 150}, {178, 44, 142}, {187, 53, 135}, {195, 62, 128}, {203, 71, 120}, {210, 80, 113},
        {217, 89, 106}, {224, 98, 99}, {230, 108, 92}, {235, 117, 85}, {240, 127, 79}, {244, 138, 72},
        {248, 148, 65}, {251, 159, 58}, {253, 171, 51}, {254, 183, 45}, {253, 195, 40}, {252, 208, 37},
        {249, 221, 37}, {245, 235, 39}, {240, 249, 33},
    },
};

static const struct colour_map viridis = {
    .name = "viridis",
    .doc = "violet over green to yellow",
    .shown = {
        {68, 1, 84}, {71, 13, 96}, {72, 24, 106}, {72, 35, 116}, {71, 45, 123}, {69, 54, 129},
        {66, 64, 134}, {63, 73, 137}, {59, 82, 139}, {55, 90, 141}, {51, 99, 141}, {47, 106, 142},
        {44, 114, 142}, {41, 122, 142}, {38, 129, 142}, {35, 137, 142}, {33, 144, 140}, {31, 152, 139},
        {31, 159, 136}, {33, 166, 133}, {40, 174, 128}, {49, 181, 123}, {62, 188, 116}, {76, 194, 108},
        {93, 201, 99}, {110, 206, 88}, {130, 211, 76}, {150, 216, 63}, {171, 220, 50}, {192, 223, 36},
        {213, 226, 26}, {234, 229, 26}, {253, 231, 37},
    },
};

static const struct colour_map inferno = {
    .name = "inferno",
    .doc = "black over violet, red and orange to pale yellow",
    .shown = {
        {0, 0, 4}, {4, 3, 18}, {11, 7, 36}, {21, 11, 55}, {33, 12, 74}, {46, 10, 90},
        {60, 9, 101}, {74, 12, 107}, {87, 16, 109}, {99, 20, 110}, {112, 25, 110}, {125, 30, 109},
        {137, 34, 106}, {150, 39, 102}, {163, 43, 97}, {175, 49, 92}, {187, 55, 85}, {198, 62, 77},
        {209, 70, 68}, {219, 79, 59}, {227, 89, 50}, {235, 101, 40}, {241, 113, 30}, {246, 127, 20},
        {249, 141, 10}, {251, 156, 6}, {252, 171, 15}, {251, 186, 31}, {249, 202, 50}, {245, 217, 73},
        {242, 232, 101}, {243, 245, 134}, {252, 255, 164},
    },
};

static const struct colour_map magma = {
    .name = "magma",
    .doc = "black over violet and pink to pale yellow",
    .shown = {
        {0, 0, 4}, {3, 3, 17}, {10, 8, 34}, {19, 13, 51}, {29, 17, 70}, {40, 17, 90},
        {54, 16, 106}, {67, 15, 118}, {80, 18, 124}, {93, 23, 127}, {105, 28, 129}, {118, 33, 129},
        {130, 38, 129}, {143, 42, 129}, {156, 46, 127}, {169, 50, 125}, {182, 55, 121}, {195, 59, 117},
        {207, 65, 112}, {219, 72, 106}, {230, 81, 99}, {238, 92, 94}, {245, 105, 92}, {249, 120, 93},
        {251, 135, 97}, {253, 150, 104}, {254, 165, 113}, {254, 180, 123}, {254, 195, 135}, {254, 209, 148},
        {253, 224, 162}, {252, 238, 176}, {252, 253, 191},
    },
};

static const struct colour_map cividis = {
    .name = "cividis",
    .doc = "blue over grey to yellow, the same to eyes that see no red or no green",
    .shown = {
        {0, 34, 78}, {0, 40, 91}, {0, 46, 106}, {4, 51, 113}, {26, 56, 111}, {39, 62, 110},
        {50, 67, 109}, {59, 73, 108}, {67, 78, 108}, {75, 84, 108}, {82, 89, 109}, {90, 95, 110},
        {97, 101, 111}, {104, 106, 113}, {111, 112, 115}, {117, 118, 118}, {124, 123, 120}, {132, 129, 121},
        {139, 135, 120}, {147, 141, 120}, {155, 147, 118}, {163, 154, 117}, {171, 160, 114}, {179, 166, 112},
        {187, 173, 108}, {195, 180, 105}, {204, 186, 100}, {212, 193, 95}, {221, 201, 88}, {230, 208, 81},
        {239, 215, 72}, {248, 223, 60}, {254, 232, 56},
    },
};

static const struct colour_map turbo = {
    .name = "turbo",
    .doc = "a smooth rainbow from blue over green to red; not even in lightness",
    .shown = {
        {48, 18, 59}, {57, 42, 115}, {64, 64, 161}, {68, 86, 199}, {70, 107, 227}, {70, 127, 246},
        {66, 147, 255}, {55, 167, 250}, {41, 187, 236}, {29, 205, 216}, {24, 220, 195}, {30, 232, 176},
        {49, 242, 153}, {76, 249, 126}, {107, 253, 100}, {138, 255, 77}, {163, 253, 60}, {184, 247, 53},
        {204, 237, 52}, {222, 224, 55}, {237, 208, 58}, {248, 192, 58}, {253, 174, 53}, {254, 152, 44},
        {251, 128, 34}, {245, 104, 23}, {236, 82, 15}, {224, 64, 9}, {210, 49, 5}, {192, 35, 2},
        {172, 23, 1}, {149, 13, 1}, {122, 4, 3},
    },
};

/* clang-format on */

const struct colour_map *const colour_maps[] = {&plasma,  &viridis, &inferno, &magma,
                                                &cividis, &turbo,   NULL};

const struct registry colour_map_registry = REGISTRY_LIST("colour map", colour_maps);

const struct colour_map *colour_map_find(const char *name)
{
    for (const struct colour_map *const *map = colour_maps; *map; map++)
        if (strcmp((*map)->name, name) == 0)
            return *map;
    return NULL;
}

void colour_map_at(const struct colour_map *map, float value, float shown[3])
{
    float place = fminf(fmaxf(value, 0), 1) * (COLOUR_MAP_STOPS - 1);
    int below = (int)fminf(place, COLOUR_MAP_STOPS - 2);
    float part = place - (float)below;
    for (int c = 0; c < 3; c++)
        shown[c] = ((1 - part) * map->shown[below][c] + part * map->shown[below + 1][c]) / 255.0f;
}

const char *colour_map_name(size_t i)
{
    return colour_maps[i] ? colour_maps[i]->name : NULL;
}
