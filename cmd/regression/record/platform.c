#include "cmd/regression/record/platform.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/video/codecs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *platform_renderer_class(const char *renderer)
{
    static const char *const names[][2] = {
        {"NVIDIA", "nvidia"},     {"Tesla", "nvidia"},    {"GeForce", "nvidia"},
        {"softpipe", "softpipe"}, {"SWR", "swr"},         {"zink", "zink"},
        {"radeonsi", "radeonsi"}, {"Radeon", "radeonsi"}, {"AMD", "radeonsi"},
        {"Intel", "intel"},       {"virgl", "virgl"},     {"nouveau", "nouveau"},
        {"NV1", "nouveau"},
    };
    const char *bits = strstr(renderer, " bits)");
    if (strncmp(renderer, "llvmpipe", 8) == 0) {
        while (bits && bits > renderer && isdigit((unsigned char)bits[-1]))
            bits--;
        return bits ? text_format("llvmpipe-%d", atoi(bits)) : memory_text("llvmpipe");
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(renderer, names[i][0]))
            return memory_text(names[i][1]);
    char *word = memory_text(renderer);
    word[strcspn(word, " (/")] = '\0';
    for (char *at = word; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return word;
}

/* Describes the elementary functions by their values: the same on every machine, until one of them
 * changes. */
static char *describe_start(const struct scene *scene)
{
    enum { POINTS = 1024, FUNCTIONS = 15 };
    char hash[HASH_TEXT];
    if (scene->bodies.model->reads_file)
        return memory_text("");
    double(*values)[FUNCTIONS] = memory_new(POINTS, sizeof *values);
    for (int i = 0; i < POINTS; i++) {
        const volatile double x = (i + 1) / 97.0;
        const volatile double share = (i + 0.5) / POINTS;
        const double v[FUNCTIONS] = {
            fn_sin(x),  fn_cos(x),    fn_exp(-x), fn_log(x),      fn_pow(x, -1.3),
            fn_cbrt(x), fn_expm1(-x), fn_erf(x),  fn_erfc(x),     fn_cosh(x),
            fn_tanh(x), fn_j0(x),     fn_j1(x),   fn_acos(share), fn_atanh(share),
        };
        memcpy(values[i], v, sizeof v);
    }
    hash_parts(&(struct hash_part){values, sizeof *values * POINTS}, 1, hash);
    free(values);
    return text_format("functions 0x%.8s", hash);
}

/* Returns the processor's maker: the first estimate of a reciprocal square root is a processor
 * instruction, which makers round differently. */
static const char *maker(const struct solver *solver)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (solver->ops->views != VIEW_HOST || __builtin_cpu_is("intel"))
        return "";
    return __builtin_cpu_is("amd") ? ", AMD" : ", another maker";
#else
    (void)solver;
    return "";
#endif
}

/* Lists the panels' forces whose bits depend on the hardware, with the hardware that computes
 * them. */
static char *describe_physics(const struct film *film)
{
    char *text = memory_text("");
    for (int i = 0; i < film->simulation_count; i++) {
        const struct solver *solver = simulation_solver(film->simulations[i]);
        if (solver->force->ops->same_everywhere)
            continue;
        text_append(&text, "; ", "%s on %s, %s%s", solver->force->ops->name, solver->model,
                    solver->kernel, maker(solver));
    }
    return text;
}

/* Returns the part of "libavcodec 59.37.100, libavformat 59.27.100" that begins with the name. */
static char *library(const char *libraries, const char *name)
{
    const char *at = strstr(libraries, name);
    return at ? text_format("%.*s", (int)strcspn(at, ","), at) : memory_text("");
}

/* Returns ", on NAME, AVX-512, 16 lanes": the description without its second part, the number of
 * threads or multiprocessors. */
static char *device_text(const char *backend, int device)
{
    const struct solver_ops *ops = choice_find(&solver_registry, backend);
    char text[256];
    if (!ops || ops->describe(device, text, sizeof text) != STATUS_OK)
        return memory_text("");
    const char *second = strchr(text, ','), *third = second ? strchr(second + 1, ',') : NULL;
    return text_format(", on %.*s%s", (int)strcspn(text, ","), text, third ? third : "");
}

/* Returns "libx264, libavcodec 59.37.100": the encoder and, where it matters, the hardware. The
 * encoder's settings are left out: they follow from the scene, and if they do not, that is a change
 * to detect. */
static char *describe_encoder(const struct target *target)
{
    const struct sink_plan *plan = &target->plan;
    char *library_text = library(plan->libraries, "libavcodec"), *device = NULL;
    const char *with = *library_text ? library_text : plan->libraries;
    if (plan->codec && plan->codec->stands_in)
        device = device_text("cuda", target->params.cuda_device);
    else if (plan->codec && !target->params.output.deterministic)
        device = device_text("cpu", 0);
    const int name = (int)strcspn(plan->description, " ,");
    char *text = text_format("%.*s%s%s%s", name, plan->description, *with ? ", " : "", with,
                             device ? device : "");
    free(library_text);
    free(device);
    return text;
}

void platform_describe(struct record *record, const struct film *film, const struct target *target)
{
    const struct sink_plan *plan = &target->plan;
    const struct solver *solver = simulation_solver(film->simulations[0]);
    record->platform = (struct platform){
        .start = describe_start(film->scene),
        .physics = describe_physics(film),
        .drawing = memory_text(renderer_driver(film->renderer)),
        .encoder = describe_encoder(target),
        .muxer = library(plan->libraries, "libavformat"),
    };
    record->renderer_class = platform_renderer_class(record->platform.drawing);
    record->device = text_format("%s, %s; %s", solver->model, solver->kernel,
                                 renderer_description(film->renderer));
    record->libraries = memory_text(plan->libraries);
    record->encoding = memory_text(plan->description);
}
