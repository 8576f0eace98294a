/* What a film is judged by, stage by stage, each in the file of its name. */
#ifndef CMD_REGRESSION_VERIFY_STAGES_H
#define CMD_REGRESSION_VERIFY_STAGES_H

#include "cmd/regression/record/record.h"
#include "cmd/regression/verify/subject.h"

/* What a film says of its scene.
 * The scene parses, its hash and seed are those of the tags, and the film has its size, rate and
 * length. Not applicable to a film that is not this program's. */
void verify_scene(const struct subject *subject, struct stage_report *stage);

/* Whether every packet of a film is whole.
 * Each decodes without a word of warning, key frames are marked as the stream has them, GOPs are
 * closed and no longer than the encoder makes them (an open GOP of a film by others is a warning).
 * Not applicable to PNG files, whose damage verify_pictures finds. */
void verify_packets(const struct subject *subject, struct stage_report *stage);

/* After `finding` was added, which is the last: says it beside what was found before. */
void verify_packets_conclude(struct stage_report *stage, const struct finding *finding);

/* Whether a film's pictures can be pictures of something that moves.
 * No frame has infinite or NaN samples. No frame is black or repeats the one before, judged by the
 * film's own: a film may begin in the dark and may slow down, but then its light and its motion
 * come and go gradually. A run of black frames is a fault where the frame next to it has more than
 * a quarter of the middle frame's light; a run of equal frames where the change next to it is more
 * than a quarter of the film's middle change; either is where all frames are so. One frame alone
 * cannot be frozen. Beside slow motion, equal frames of a film that codes few of them by themselves
 * are a warning: encoders skip what hardly moves. A film of eight frames or more that are all as
 * near to the first as copies of it that were encoded is frozen, unless its tags say that the
 * bodies rest.
 *
 * So that lettering hides no black frame, the light of a frame is what it has more than the darkest
 * that each pixel is in any frame, and black is less than a twentieth of the middle frame's. Where
 * captions come and go, or may, a frame that is black only in this sense is a warning.
 *
 * Concluded by verify_film, after frames have been drawn again. */
void verify_pictures(const struct subject *subject, struct stage_report *stage);

/* What a film's file says of itself: how many frames, when they are shown, in which colours.
 * Of a film by this program everything must be as its encoder and muxer write it. Of others
 * container and stream must agree; what is not said, and an uneven step, is a warning. Not
 * applicable to PNG files but for their count. */
void verify_container(const struct subject *subject, struct stage_report *stage);

/* After a finding was added: says all that is wrong, or in one line what is right. */
void verify_container_conclude(struct stage_report *stage);

/* A film's packets, and all else in its file, against what its manifest names.
 * Adds to the stages of packets and container, which have been judged, whether each packet is the
 * one that the manifest has at its place, and each box of the file, by hash: every bit of the film.
 * What a manifest of an older program does not hold is a warning. Fails, and the packets are not
 * judged, where one of both has none. */
enum status verify_manifest(const struct subject *subject, const struct record *manifest,
                            struct case_report *one);

#endif
