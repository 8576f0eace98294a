/* Pictures for the page: a thread of its own owns GL and draws what is asked for, one picture at a
 * time. Nothing queues: a request that arrives while another waits takes its place. Thread-safe but
 * for opening and closing.
 *
 * An exact picture is opened as its film is, so it has the film's camera, exposure and scales. Any
 * other keeps what was found for one with another camera: that takes as long as drawing does. A
 * moving one has fewer stars, too. */
#pragma once

#include "cmd/view/view_motion.h"
#include "cmd/view/view_request.h"

struct pictures;

/* Both must outlive the pictures. */
enum status pictures_open(struct pictures **out, const struct view_source *source,
                          struct motion *motion);
/* Ends the thread; requests that wait are answered. Accepts a pointer to NULL. */
void pictures_close(struct pictures **pictures);
/* Answers requests that wait, and later ones, with ANSWER_ENDING. */
void pictures_end(struct pictures *pictures);

struct answer {
    enum { ANSWER_DRAWN, ANSWER_REPLACED, ANSWER_LATER, ANSWER_FAILED, ANSWER_ENDING } how;
    enum status status;             /* ANSWER_FAILED */
    char sentence[STATUS_TEXT_MAX]; /* likewise */
    uint8_t *pixels;                /* the rest: ANSWER_DRAWN. Rows of RGBA, top row first */
    uint32_t width, height;
    size_t stride;
    char *facts; /* JSON on one line: the frame, the camera, what was simulated; docs/view.md */
};

/* Waits for the picture. ANSWER_LATER: it takes a plan that is being made; ask again soon. The
 * caller frees pixels and facts. */
void pictures_ask(struct pictures *pictures, const struct wish *wish, struct answer *answer);

/* The last film's moments, captions and keyframes as JSON, which the caller frees; NULL: no film is
 * open yet. *serial counts the films. */
char *pictures_story(struct pictures *pictures, uint64_t *serial);
