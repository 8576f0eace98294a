/* The scene: everything that determines the film. Parsed, validated, then immutable.
 *
 * Text is YAML with the sections units, bodies, simulation, camera, look, overlay, output and
 * expect. Every key has one row in scenes/keys.c (type, default, range, unit, meaning); reading,
 * --set, printing and the scene reference in docs/ use that table.
 *
 * Errors are STATUS_USAGE (STATUS_IO when a file cannot be read): one sentence with file, line, the
 * key, what was found and what was expected. Not thread-safe while being changed. */
#pragma once

#include "base/choice.h"
#include "base/status.h"
#include "scenes/keys.h"

#include <stdint.h>

/* Opens NAME: a built-in scene, or a path to a YAML file (anything with a slash or ending in .yaml
 * or .yml). An unknown name is an error that suggests the nearest built-in one. A relative
 * bodies.file is searched beside the scene file, in the current folder, then in each folder of
 * $GRAVREEL_DATA (separated by colons); if it is not found, the name stays, and opening the bodies
 * reports it. The scene is not yet validated as a whole. */
enum status scene_open(struct scene **out, const char *name);

/* Parses text as if it had been read from a file named `origin`. */
enum status scene_parse(struct scene **out, const char *text, const char *origin);

/* Errors of the scene name the files, lines and options of another one, whose values it has. */
void scene_take_origins(struct scene *scene, const struct scene *source);

/* Searches for a relative bodies.file as scene_open does; `folder` is the scene file's. */
void scene_find_files(struct scene *scene, const char *folder);

void scene_close(struct scene **scene); /* accepts a pointer to NULL */

/* Sets one key: "section.key" and its value as in YAML; text needs no quotes. Used by --set and the
 * options that abbreviate it; `origin` ("--set", "--fps") replaces file and line in errors. Lists
 * (bodies.components, bodies.galaxies) are given in flow style. bodies.file is searched as in
 * scene_open, starting in the current folder. On failure the scene is unchanged. */
enum status scene_set(struct scene *scene, const char *path, const char *value, const char *origin);

/* The same with a literal text: quotes in it are part of it. */
enum status scene_set_text(struct scene *scene, const char *path, const char *text,
                           const char *origin);

/* Whether the scene's text or a setting sets "section.key"; otherwise it has its default. */
bool scene_is_given(const struct scene *scene, const char *path);

/* Whether an option of the command line sets it, either --set or its abbreviation. */
bool scene_is_option(const struct scene *scene, const char *path);

/* Resets the key to its default, as if it had never been set. */
void scene_forget(struct scene *scene, const char *path);

/* The duration of this many frames of the film. */
double scene_seconds(const struct scene *scene, uint64_t frames);

/* Puts "FILE:LINE: section.key" before this thread's message: for a key whose value only another
 * library can judge (a codec, an integrator). An entry of a list is "section.key[2]", counted from
 * 1, its own key "section.key[2].key". Returns STATUS_USAGE. */
enum status scene_blame(const struct scene *scene, const char *path);

/* Frames per segment, >= 1: output.segment, or what its `auto` means, a function of output.fps and
 * output.frames alone, since a film's bytes depend on it: a second of the film, 12 frames at least,
 * but no more than 2000 segments. docs/performance.md says what that costs and gains. */
uint64_t scene_segment_length(const struct scene *scene);

/* The scenes that ship with the program: the YAML files of this folder. Constant; thread-safe.
 *
 * A new scene is a file NAME.yaml, whose first line describes it, and NAME in CMakeLists.txt. */
struct scene_builtin {
    const char *name, *doc;
    const char *text; /* the file as shipped; its first line is a comment, the doc */
};

/* Entries: struct scene_builtin, default first. */
extern const struct registry builtin_registry;

/* The name of the default one. */
const char *builtin_default(void);
