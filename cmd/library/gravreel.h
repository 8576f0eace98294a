/* Films of a simulation while it runs: hands its bodies to the program `gravreel`, frame by frame.
 *
 *     const char *const options[] = {"--size", "1280x720", NULL};
 *     struct gravreel_film *film = gravreel_open("film.mp4", options);
 *     while (advance())
 *         gravreel_bodies(film, time, count, mass, position, velocity);
 *     if (gravreel_close(film) != 0)
 *         fprintf(stderr, "no film: %s\n", gravreel_error());
 *
 * The program runs as a process of its own, so that neither its libraries nor its faults touch the
 * simulation; $GRAVREEL names it, else it is ../bin/gravreel from the library's folder, else found
 * on the path. It receives frames while the simulation goes on, and makes the film when it ends,
 * because camera and exposure depend on all of the motion. A simulation that dies leaves the frames
 * so far, and the film of them.
 *
 * Link with -lgravreel. Functions that return int return 0, or the exit code of the program; after
 * a failure gravreel_error says why in one sentence, and further frames fail, too. Any number of
 * films may be open; each is used by one thread at a time. Numbers are copied before a call
 * returns, into a buffer of up to 128 MiB of host memory, which a thread of the film sends: a call
 * waits only while the program is 128 MiB behind (36 frames of 65,536 bodies in double), and no
 * more memory is used than it is behind.
 *
 * Arrays may be in the memory of a CUDA device or in managed memory: pass the device's pointer. The
 * call first waits for everything that has been queued in the context of the pointer, on any
 * stream, and has copied the arrays when it returns. Arrays of one frame may be on different
 * devices; x, y and z of one array are on the same. The library is not linked with CUDA: it asks
 * the driver that the program itself has loaded, and none where there is none. Host memory, pinned
 * or not, is read at once: if a device writes to it, wait for that first. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gravreel_film;

/* options: as on the command line of `gravreel render`, ended by NULL: a scene, "--duration", "20".
 * NULL: none. The film is shown as that scene says; its bodies and their motion come from the
 * frames.
 * Never returns NULL, unless memory is short. */
struct gravreel_film *gravreel_open(const char *output, const char *const *options);

/* Like gravreel_open, but writes the frames into a file or a named pipe and starts no program:
 * `gravreel render --frames-from PATH` makes the film. Each rank of a simulation can write its own
 * bodies, to frames.0000, frames.0001, ...; --frames-from 'frames.*' joins them in the order of the
 * names. All ranks must then have the same frames, with the same arrays. */
struct gravreel_film *gravreel_open_stream(const char *path);

/* Units of all frames: centimetres, grams and centimetres per second. Before the first frame.
 * Without them, G = 1, or the scene's units. */
int gravreel_units(struct gravreel_film *film, double length, double mass, double velocity);

/* Divides the bodies of all further frames into components: the first counts[0] bodies are those
 * called names[0], and so on. count 0: no components, as at the beginning. */
int gravreel_components(struct gravreel_film *film, size_t count, const char *const *names,
                        const size_t *counts);

/* mass [bodies], position and velocity [bodies][3]. mass: NULL after the first frame if masses do
 * not change. Times must increase. */
int gravreel_bodies(struct gravreel_film *film, double time, size_t bodies, const double *mass,
                    const double *position, const double *velocity);

enum gravreel_type { GRAVREEL_F4, GRAVREEL_F8, GRAVREEL_I4, GRAVREEL_I8, GRAVREEL_U4, GRAVREEL_U8 };

/* Numbers of bodies, in the memory of the host or of a CUDA device: "mass", "pos" and "vel" with x,
 * y and z, "id" with whole numbers, or a column of any other name without blanks, by which bodies
 * can be coloured. */
struct gravreel_array {
    const char *name, *unit; /* unit: NULL if unknown */
    enum gravreel_type type;
    const void *data;  /* of the first body, or its x */
    const void *y, *z; /* of the first body; NULL: right after x and y */
    ptrdiff_t stride;  /* bytes from a body to the next; 0: no gap */
};

/* The same as gravreel_bodies for any arrays. Those other than pos and vel may be left out after
 * the first frame if they do not change. With "id", bodies may come and go. */
int gravreel_frame(struct gravreel_film *film, double time, size_t bodies,
                   const struct gravreel_array *arrays, size_t count);

/* Waits until the film is made, and frees `film`. Accepts NULL. */
int gravreel_close(struct gravreel_film *film);

/* Moves bodies by their gravity, with G = 1, from time 0 to exactly `until`, and waits for the
 * result. mass [bodies]; position and velocity [bodies][3] are replaced, after a failure perhaps
 * only in part. options: those of `gravreel simulate`, ended by NULL: "--set",
 * "simulation.softening=0.05"; what is left out is chosen from the bodies. NULL: none.
 * Thread-safe. */
int gravreel_simulate(size_t bodies, const double *mass, double *position, double *velocity,
                      double until, const char *const *options);

/* The sentence of the last failure of this thread's calls; "": there was none. */
const char *gravreel_error(void);

/* "1.0.0" */
const char *gravreel_version(void);

#ifdef __cplusplus
}
#endif
