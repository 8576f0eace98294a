/* An OpenGL core context without a display, through EGL: version 4.3 if available, else 3.3.
 *
 * Order of preference: the EGL device that is CUDA device `cuda_device` (EGL_CUDA_DEVICE_NV), any
 * other hardware device, a software device, the surfaceless platform. Nothing is current after
 * opening; bind makes the context current on the calling thread, which owns it until unbind. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct gl_context {
    void *display, *context; /* EGLDisplay, EGLContext */
    char renderer[128];      /* GL_RENDERER */
    char version[96];        /* GL_VERSION */
    char platform[96];       /* "EGL device 0, CUDA device 0", "surfaceless" */
    int cuda_device;         /* the CUDA device that this context can share memory with, or -1 */
    bool software;           /* renders on the CPU */
    bool captures;           /* sprites are captured, see sprites/captured.h: in software */
    bool compute;            /* supports compute shaders */
    bool compute_passes;     /* full-screen passes use compute shaders: on hardware */
    bool integers64;         /* compute shaders support 64-bit integers */
    float point_size_max;
    int texture_size_max;
};

/* STATUS_DEVICE names what was tried and what to install. `cuda_device` -1: no preference. */
enum status gl_context_open(struct gl_context **out, int cuda_device);
void gl_context_close(struct gl_context **context); /* accepts a pointer to NULL */

enum status gl_context_bind(struct gl_context *context);
void gl_context_unbind(struct gl_context *context);

/* Calls `each` for every EGL device and for the surfaceless platform, with a context opened on it,
 * or with NULL and the reason why it cannot be opened. For `gravreel doctor`. */
enum status gl_context_survey(void (*each)(void *user, const char *platform,
                                           const struct gl_context *context, const char *reason),
                              void *user);

/* Describes what is known without opening a display, "EGL 1.5 libglvnd with Mesa; EGL device 0,
 * software; surfaceless", or says what is missing. */
void gl_context_describe(char *out, size_t size);
