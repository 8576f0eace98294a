#include "render/sky/sky.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/random.h"
#include "render/colour/colour.h"
#include "render/colour/legend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- catalogue ---- */

/* Streams of the random number generator; no model of bodies uses them. */
enum { STREAM = 0x57a25, GALAXIES_STREAM = 0x9a1a };

enum { FIRST_MAGNITUDE = 3, COUNTS = 6 };
/* Number of stars brighter than magnitude 3, 4, ... 8. */
static const double brighter[COUNTS] = {172, 511, 1600, 4968, 15328, 40858};

double sky_magnitude(size_t i)
{
    const double rank = brighter[0] + (double)i + 0.5;
    int k = 0;
    while (k + 2 < COUNTS && rank > brighter[k + 1])
        k++;
    return FIRST_MAGNITUDE + k + fn_log(rank / brighter[k]) / fn_log(brighter[k + 1] / brighter[k]);
}

/* Spectral types B, A, F, G, K, M: cumulative share of all stars, and range of temperatures; giants
 * and dwarfs together. */
static const struct {
    double up_to, hottest, coolest;
} types[] = {{0.10, 25000, 10000}, {0.32, 10000, 7500}, {0.51, 7500, 6000},
             {0.65, 6000, 5000},   {0.97, 5000, 3800},  {1.00, 3800, 3200}};

enum { SHADES = 256 };

/* The reciprocal of the temperature, with which colours change evenly. */
static double reciprocal(double share)
{
    int k = 0;
    while (share > types[k].up_to)
        k++;
    const double from = k > 0 ? types[k - 1].up_to : 0;
    const double within = (share - from) / (types[k].up_to - from);
    return (1 - within) / types[k].hottest + within / types[k].coolest;
}

void sky_catalogue(struct sky_star *out, size_t count, uint64_t seed)
{
    float shades[SHADES][3];
    for (int i = 0; i < SHADES; i++)
        black_body_shown(1 / reciprocal((i + 0.5) / SHADES), shades[i]);
    for (size_t i = 0; i < count; i++) {
        struct random random = random_of(seed, STREAM, i);
        double direction[3];
        random_direction3(&random, direction);
        for (int axis = 0; axis < 3; axis++)
            out[i].direction[axis] = (float)direction[axis];
        out[i].light = (float)fn_pow(10, -0.4 * (sky_magnitude(i) - SKY_MAGNITUDE));
        const float *shade = shades[(int)(SHADES * random_uniform(&random))];
        memcpy(out[i].shown, shade, sizeof out[i].shown);
    }
}

/* Scale lengths of galaxies, in deviations of a star's spot; flattest: axis ratio; light in the
 * middle of a galaxy relative to SKY_MAGNITUDE, and the scatter of sizes. */
static const double first_galaxy = 22, smallest_galaxy = 1.3, largest_galaxy = 8, flattest = 0.22,
                    galaxy_light = 0.7, galaxy_scatter = 0.45;

void sky_galaxies(struct sky_star *out, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++) {
        struct random random = random_of(seed, GALAXIES_STREAM, i);
        double direction[3], other[3];
        random_direction3(&random, direction);
        random_direction3(&random, other);
        const double scatter = fn_exp(galaxy_scatter * random_normal(&random));
        const double size = scatter * first_galaxy / fn_cbrt((double)i + 0.5);
        const double seen = fmax(size, smallest_galaxy), faded = size / seen;
        const double age = random_uniform(&random);
        const double kelvin = age < 0.6 ? 3600 + 2500 * age : 5200 + 9000 * (age - 0.6);
        double axis[3];
        vector_cross(axis, direction, other);
        const double square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
        const double length = sqrt(fmax(square, 1e-30));
        out[i] = (struct sky_star){
            .light = (float)(galaxy_light * faded * faded / scatter),
            .size = (float)fmin(seen, largest_galaxy),
            .ratio =
                (float)fmin(1, fmax(flattest + (1 - flattest) * random_uniform(&random), 1 / seen)),
        };
        black_body_shown(kelvin, out[i].shown);
        for (int c = 0; c < 3; c++) {
            out[i].direction[c] = (float)direction[c];
            out[i].axis[c] = (float)(axis[c] / length);
        }
    }
}

/* ---- drawing ---- */

extern const char shader_star_vert[], shader_star_frag[];

/* The standard deviation of a spot, relative to what the field of view spans, and its minimum in
 * pixels: narrower stars would flicker when they move from pixel to pixel. */
static const double usual = 1.0 / 1500, least = 0.7;

enum { DIRECTION, COLOUR, FORM, BUFFERS, FLOATS = 4 };

struct stars {
    struct stars_setup setup;
    double deviation;
    GLuint vertex_array, buffers[BUFFERS], program;
    GLint right, up, forward, focal, middle, corner, size, sigma, strength;
};

void stars_set(struct stars *stars, const struct sky_star *sky, size_t count, double deviation)
{
    float(*rows[BUFFERS])[FLOATS] = {memory_new(count, sizeof *rows[0]),
                                     memory_new(count, sizeof *rows[0]),
                                     memory_new(count, sizeof *rows[0])};
    for (size_t i = 0; i < count; i++) {
        float shown[3];
        legend_tint(sky[i].shown, stars->setup.saturation, shown);
        for (int c = 0; c < 3; c++) {
            rows[DIRECTION][i][c] = sky[i].direction[c];
            rows[FORM][i][c] = sky[i].axis[c];
            rows[COLOUR][i][c] = sky[i].light * (float)fn_pow(shown[c], 2.2f);
        }
        rows[COLOUR][i][3] = sky[i].light;
        rows[DIRECTION][i][3] = sky[i].size;
        rows[FORM][i][3] = sky[i].ratio;
    }
    for (GLuint b = 0; b < BUFFERS; b++) {
        glBindBuffer(GL_ARRAY_BUFFER, stars->buffers[b]);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *rows[b]), rows[b],
                     GL_STATIC_DRAW);
        free(rows[b]);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    stars->setup.count = count;
    stars->deviation = deviation;
}

static void fill(struct stars *stars)
{
    const size_t count = stars->setup.count, galaxies = stars->setup.galaxies;
    struct sky_star *sky = memory_new(count + galaxies, sizeof *sky);
    sky_catalogue(sky, count, stars->setup.seed);
    sky_galaxies(sky + count, galaxies, stars->setup.seed);
    glGenVertexArrays(1, &stars->vertex_array);
    glGenBuffers(BUFFERS, stars->buffers);
    stars_set(stars, sky, count + galaxies, usual);
    glBindVertexArray(stars->vertex_array);
    for (GLuint b = 0; b < BUFFERS; b++) {
        glBindBuffer(GL_ARRAY_BUFFER, stars->buffers[b]);
        glEnableVertexAttribArray(b);
        glVertexAttribPointer(b, FLOATS, GL_FLOAT, GL_FALSE, 0, NULL);
        glVertexAttribDivisor(b, 1);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindVertexArray(0);
    free(sky);
}

static enum status create_program(struct stars *stars)
{
    char defines[96];
    snprintf(defines, sizeof defines, "%s%s%s%s", stars->setup.values ? "#define VALUES\n" : "",
             stars->setup.whole_sphere ? "#define SPHERE\n" : "",
             stars->setup.dome > 0 ? "#define DOME\n" : "",
             stars->setup.galaxies > 0 ? "#define GALAXIES\n" : "");
    enum status status =
        gl_program(&stars->program, "star", shader_star_vert, shader_star_frag, defines);
    if (status != STATUS_OK)
        return status;
    stars->right = glGetUniformLocation(stars->program, "right");
    stars->up = glGetUniformLocation(stars->program, "up");
    stars->forward = glGetUniformLocation(stars->program, "forward");
    stars->focal = glGetUniformLocation(stars->program, "focal");
    stars->middle = glGetUniformLocation(stars->program, "middle");
    stars->corner = glGetUniformLocation(stars->program, "corner");
    stars->size = glGetUniformLocation(stars->program, "size");
    stars->sigma = glGetUniformLocation(stars->program, "sigma");
    stars->strength = glGetUniformLocation(stars->program, "strength");
    return STATUS_OK;
}

enum status stars_create(struct stars **out, const struct stars_setup *setup)
{
    struct stars *stars = *out = memory_new(1, sizeof *stars);
    stars->setup = *setup;
    enum status status = create_program(stars);
    if (status == STATUS_OK)
        fill(stars);
    else
        stars_destroy(out);
    return status;
}

void stars_destroy(struct stars **stars)
{
    if (!*stars)
        return;
    glDeleteVertexArrays(1, &(*stars)->vertex_array);
    glDeleteBuffers(BUFFERS, (*stars)->buffers);
    glDeleteProgram((*stars)->program);
    free(*stars);
    *stars = NULL;
}

static void set_axis(GLint uniform, const double axis[3], double sign)
{
    glUniform3f(uniform, (GLfloat)(sign * axis[0]), (GLfloat)(sign * axis[1]),
                (GLfloat)(sign * axis[2]));
}

void stars_add(const struct stars *stars, const struct gl_target *target,
               const struct camera_aim *aim, const struct camera_window *window, double light)
{
    const bool sphere = stars->setup.whole_sphere, dome = stars->setup.dome > 0;
    const double height = window->height, tangent = fn_tan(aim->fov * M_PI / 360);
    const double rows = sphere ? camera_quarter(window->width, stars->setup.dome)
                        : stars->setup.stretch > 0 ? height / stars->setup.stretch
                                                   : height;
    const double wanted = stars->deviation * rows;
    const double sigma = fmax(wanted, least), smaller = wanted / sigma;
    double right[3], up[3], back[3];
    struct camera_aim level;
    camera_aim_face(&level, aim, 4);
    const double distance = camera_aim_axes(sphere ? &level : aim, right, up, back);
    /* Pixels per unit tangent of the angle from the middle; on a sphere, per radian. */
    const double focal =
        sphere ? camera_radian(window->width, stars->setup.dome) : height / (2 * tangent);
    glUseProgram(stars->program);
    set_axis(stars->right, right, 1);
    set_axis(stars->up, up, 1);
    set_axis(stars->forward, back, -1);
    glUniform1f(stars->focal, (GLfloat)focal);
    glUniform2f(stars->middle,
                (GLfloat)(0.5 * window->width + (sphere ? 0 : focal * window->shear / distance)),
                (GLfloat)(0.5 * height));
    glUniform2f(stars->corner, (GLfloat)window->x - (GLfloat)window->margin,
                (GLfloat)window->height - (GLfloat)window->y - (GLfloat)window->rows -
                    (GLfloat)window->margin);
    glUniform2f(stars->size, (GLfloat)target->width, (GLfloat)target->height);
    glUniform1f(stars->sigma, (GLfloat)sigma);
    glUniform1f(stars->strength, (GLfloat)(light * smaller * smaller));
    gl_target_bind(target);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    glBindVertexArray(stars->vertex_array);
    glDrawArraysInstanced(GL_TRIANGLES, 0, sphere && !dome ? 12 : 6, (GLsizei)stars->setup.count);
    glBindVertexArray(0);
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
}
