#include "render/gl/context.h"

#include "base/memory.h"
#include "base/log.h"
#include "base/machine.h"
#include "render/gl/fences.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 32 };

struct candidate {
    EGLDeviceEXT device; /* NULL: the surfaceless platform */
    int cuda_device;
    bool software;
    char platform[96];
};

/* Checks that the thread and memory limits suffice for a software driver beside computing and
 * encoding. */
static enum status check_limits(void)
{
    const unsigned processors = machine_processors();
    return limits_check("drawing", 16 + 3 * (processors < 32 ? processors : 32), (size_t)640 << 20);
}

/* epoxy ends the process when a library is missing, so check first. */
static enum status find_libraries(void)
{
    if (check_limits() != STATUS_OK)
        return STATUS_RUNTIME;
    if (!dlopen("libEGL.so.1", RTLD_LAZY | RTLD_GLOBAL))
        return status_fail(STATUS_DEVICE,
                           "drawing needs libEGL.so.1, which is not installed; install "
                           "libegl1 (and libgl1-mesa-dri where there is no GPU driver)");
    if (!dlopen("libOpenGL.so.0", RTLD_LAZY | RTLD_GLOBAL) &&
        !dlopen("libGL.so.1", RTLD_LAZY | RTLD_GLOBAL))
        return status_fail(
            STATUS_DEVICE,
            "drawing needs libOpenGL.so.0 or libGL.so.1, and neither is installed; install libgl1");
    return STATUS_OK;
}

static bool has_extension(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static int list_candidates(struct candidate *list)
{
    int count = 0;
    const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (has_extension(client, "EGL_EXT_platform_device") &&
        (has_extension(client, "EGL_EXT_device_enumeration") ||
         has_extension(client, "EGL_EXT_device_base"))) {
        EGLDeviceEXT devices[DEVICES_MAX];
        EGLint found = 0;
        if (!eglQueryDevicesEXT(DEVICES_MAX, devices, &found))
            found = 0;
        for (int i = 0; i < found; i++) {
            struct candidate *c = &list[count++];
            *c = (struct candidate){.device = devices[i], .cuda_device = -1};
            const char *extensions = eglQueryDeviceStringEXT(devices[i], EGL_EXTENSIONS);
            EGLAttrib cuda = -1;
            if (has_extension(extensions, "EGL_NV_device_cuda") &&
                eglQueryDeviceAttribEXT(devices[i], EGL_CUDA_DEVICE_NV, &cuda))
                c->cuda_device = (int)cuda;
            c->software = has_extension(extensions, "EGL_MESA_device_software");
            if (c->cuda_device >= 0)
                snprintf(c->platform, sizeof c->platform, "EGL device %d, CUDA device %d", i,
                         c->cuda_device);
            else
                snprintf(c->platform, sizeof c->platform, "EGL device %d%s", i,
                         c->software ? ", software" : "");
        }
    }
    if (has_extension(client, "EGL_MESA_platform_surfaceless")) {
        list[count] = (struct candidate){.cuda_device = -1};
        snprintf(list[count++].platform, sizeof list[0].platform, "surfaceless");
    }
    return count;
}

void gl_context_describe(char *out, size_t size)
{
    if (find_libraries() != STATUS_OK) {
        snprintf(out, size, "%s", status_text());
        return;
    }
    struct candidate list[DEVICES_MAX + 1];
    const char *version = eglQueryString(EGL_NO_DISPLAY, EGL_VERSION);
    const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    snprintf(out, size, "EGL %s%s", version ? version : "of an unknown version",
             client && strstr(client, "EGL_MESA_") ? " with Mesa" : "");
    const int count = list_candidates(list);
    for (int i = 0; i < count; i++) {
        const size_t length = strlen(out);
        snprintf(out + length, size - length, "; %s", list[i].platform);
    }
}

enum status gl_context_bind(struct gl_context *context)
{
    /* Each thread has its own API, and only contexts of that one are released by unbinding. */
    if (!eglBindAPI(EGL_OPENGL_API) ||
        !eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context))
        return status_fail(STATUS_DEVICE,
                           "%s: the GL context cannot be made current (EGL error 0x%x)",
                           context->platform, (unsigned)eglGetError());
    return STATUS_OK;
}

void gl_context_unbind(struct gl_context *context)
{
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

/* `told`: the context reports an error after it was lost, which GL does only on request. */
static EGLContext create_context(EGLDisplay display, const EGLint version[2], bool told)
{
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 version[0],
                                 EGL_CONTEXT_MINOR_VERSION,
                                 version[1],
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 told ? EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY : EGL_NONE,
                                 EGL_LOSE_CONTEXT_ON_RESET,
                                 EGL_NONE};
    return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
}

/* Tries versions from the newest: drivers give the version asked for, not the newest they have. */
static EGLContext newest_context(EGLDisplay display)
{
    static const EGLint versions[][2] = {{4, 3}, {3, 3}};
    const bool tells = epoxy_egl_version(display) >= 15;
    EGLContext context = EGL_NO_CONTEXT;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0] && context == EGL_NO_CONTEXT; i++) {
        if (tells)
            context = create_context(display, versions[i], true);
        if (context == EGL_NO_CONTEXT)
            context = create_context(display, versions[i], false);
    }
    return context;
}

static enum status open_context(struct gl_context *context, const struct candidate *from)
{
    EGLDisplay display = from->device
                             ? eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, from->device, NULL)
                             : eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return status_fail(STATUS_DEVICE, "%s: EGL does not initialize (EGL error 0x%x)",
                           from->platform, (unsigned)eglGetError());
    context->display = display;
    const char *extensions = eglQueryString(display, EGL_EXTENSIONS);
    if (!has_extension(extensions, "EGL_KHR_surfaceless_context") ||
        !has_extension(extensions, "EGL_KHR_no_config_context") || !eglBindAPI(EGL_OPENGL_API))
        return status_fail(STATUS_DEVICE, "%s: EGL cannot draw desktop OpenGL without a surface",
                           from->platform);
    context->context = newest_context(display);
    if (context->context == EGL_NO_CONTEXT)
        return status_fail(STATUS_DEVICE, "%s: no OpenGL 3.3 core context (EGL error 0x%x)",
                           from->platform, (unsigned)eglGetError());
    snprintf(context->platform, sizeof context->platform, "%s", from->platform);
    enum status status = gl_context_bind(context);
    if (status != STATUS_OK)
        return status;
    snprintf(context->renderer, sizeof context->renderer, "%s",
             (const char *)glGetString(GL_RENDERER));
    snprintf(context->version, sizeof context->version, "%s",
             (const char *)glGetString(GL_VERSION));
    GLfloat range[2] = {1, 1};
    glGetFloatv(GL_POINT_SIZE_RANGE, range);
    context->point_size_max = range[1];
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &context->texture_size_max);
    context->cuda_device = from->cuda_device;
    context->software = from->software || strstr(context->renderer, "llvmpipe") ||
                        strstr(context->renderer, "softpipe");
    context->captures = context->software;
    if (context->software)
        fences_guard();
    context->compute = epoxy_gl_version() >= 43;
    context->compute_passes = context->compute && !context->software;
    context->integers64 = context->compute && epoxy_has_gl_extension("GL_ARB_gpu_shader_int64");
    gl_context_unbind(context);
    return STATUS_OK;
}

static enum status open_candidate(struct gl_context **out, const struct candidate *from)
{
    *out = memory_new(1, sizeof **out);
    enum status status = open_context(*out, from);
    if (status != STATUS_OK)
        gl_context_close(out);
    return status;
}

/* Smaller is better. */
static int rank(const struct candidate *candidate, int cuda_device)
{
    if (cuda_device >= 0 && candidate->cuda_device == cuda_device)
        return 0;
    if (!candidate->device)
        return 3;
    return candidate->software ? 2 : 1;
}

enum status gl_context_open(struct gl_context **out, int cuda_device)
{
    *out = NULL;
    enum status status = find_libraries();
    if (status != STATUS_OK)
        return status;
    struct candidate list[DEVICES_MAX + 1];
    int count = list_candidates(list);
    char reasons[STATUS_TEXT_MAX / 2] = "EGL lists no device and no surfaceless platform";
    size_t used = 0;
    for (int next = 0; next <= 3; next++) {
        for (int i = 0; i < count; i++) {
            if (rank(&list[i], cuda_device) != next)
                continue;
            status = open_candidate(out, &list[i]);
            if (status == STATUS_OK)
                return STATUS_OK;
            log_debug("%s", status_text());
            if (used < sizeof reasons)
                used += (size_t)snprintf(reasons + used, sizeof reasons - used, "%s%s",
                                         used ? "; " : "", status_text());
        }
    }
    return status_fail(
        STATUS_DEVICE,
        "drawing needs an OpenGL 3.3 context without a display, and none opened (%s); %s", reasons,
        limits_advice("install libgl1-mesa-dri, or in a container enable the driver's `graphics` "
                      "capability"));
}

void gl_context_close(struct gl_context **context)
{
    if (!*context)
        return;
    if ((*context)->context) {
        gl_context_unbind(*context);
        eglDestroyContext((*context)->display, (*context)->context);
    }
    free(*context);
    *context = NULL;
}

enum status gl_context_survey(void (*each)(void *user, const char *platform,
                                           const struct gl_context *context, const char *reason),
                              void *user)
{
    enum status status = find_libraries();
    if (status != STATUS_OK)
        return status;
    struct candidate list[DEVICES_MAX + 1];
    int count = list_candidates(list);
    for (int i = 0; i < count; i++) {
        struct gl_context *context;
        if (open_candidate(&context, &list[i]) == STATUS_OK)
            each(user, list[i].platform, context, NULL);
        else
            each(user, list[i].platform, NULL, status_text());
        gl_context_close(&context);
    }
    return STATUS_OK;
}
