#include "cmd/choices.h"

#include "render/colour.h"
#include "render/sink.h"
#include "sim/bodies.h"
#include "sim/integrator.h"
#include "sim/solver.h"

#include <stdio.h>
#include <string.h>

static void row(const char *name, const char *doc)
{
    printf("  %-14s %s\n", name, doc);
}

static void print_codecs(void)
{
    row("auto", "the usual one of the file's format");
    for (const struct codec *const *codec = codecs; *codec; codec++) {
        char doc[256];
        snprintf(doc, sizeof doc, "%s (%s; for %s)", (*codec)->doc, (*codec)->encoder,
                 (*codec)->containers);
        row((*codec)->name, doc);
    }
}

static void print_presets(void)
{
    for (const struct codec *const *codec = codecs; *codec; codec++)
        if (*(*codec)->presets)
            row((*codec)->name, (*codec)->presets);
}

static void print_backends(void)
{
    row("auto", "the first of these that runs here");
    for (const struct solver_ops *const *solver = solvers; *solver; solver++)
        row((*solver)->name, (*solver)->doc);
}

static void print_colours(void)
{
    for (const struct colour *const *colour = colours; *colour; colour++)
        row((*colour)->name, (*colour)->doc);
}

static void print_integrators(void)
{
    for (const struct integrator *const *integrator = integrators; *integrator; integrator++)
        row((*integrator)->name, (*integrator)->doc);
}

static void print_models(void)
{
    for (const struct bodies_model *const *model = bodies_models; *model; model++)
        row((*model)->name, (*model)->doc);
}

static const struct {
    const char *key;
    void (*print)(void);
} lists[] = {
    {"backend", print_backends},
    {"output.codec", print_codecs},
    {"output.preset", print_presets},
    {"look.color", print_colours},
    {"simulation.integrator", print_integrators},
    {"bodies.model", print_models},
};

enum status choices_print(const char *key)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (strcmp(lists[i].key, key) == 0) {
            lists[i].print();
            return STATUS_OK;
        }
    }
    return status_fail(STATUS_USAGE,
                       "%s has no list of choices; docs/scene.md and `gravreel scenes --keys` "
                       "describe every key",
                       key);
}
