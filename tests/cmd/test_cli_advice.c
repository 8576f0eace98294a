/* Advice about scenes that are valid but may not give what was intended. */
#include "tests/support/test.h"

#include "tests/support/programs/cli.h"

/* Twelve frames of 0.04 each, ten per second. */
#define SCENE                                                                                      \
    "bodies: {model: plummer, count: 64}\n"                                                        \
    "output: {frames: 12, fps: 10, size: 64x48}\n"                                                 \
    "simulation: {dt: 0.01, steps_per_frame: 4}\n"

TEST(times_that_move_are_told)
{
    cli_write("told.yaml", SCENE "overlay: {captions: [{text: a, from: 0.5, to: 1}]}\n");
    const struct run *run = cli(0, "render", "told.yaml", "--duration", "0.6", "--save-scene", "-");
    assert_says(run->err, "--duration also scales '0.5 s' is now '0.25 s'");
    assert_contains(run->out, "from: 0.25\n");
    run = cli(0, "render", "told.yaml", "--duration", "0.6", "--save-scene", "-", "--set",
              "overlay.captions=[{text: a, from: 0.5, to: 1}]");
    assert_lacks(run->err, "also scale");
    assert_contains(run->out, "from: 0.5\n");
    assert_lacks(cli(0, "render", "told.yaml", "--fps", "20", "--save-scene", "-")->err,
                 "also scale");
}

/* Three periods of the outermost planet, or less if a moon is too fast. */
TEST(planets_complete_their_orbits)
{
#define SUN   "name,mass [Msun],x_au,y_au,z_au,vx_au_d,vy_au_d,vz_au_d\nSun,1,0,0,0,0,0,0\n"
#define EARTH "Earth,3e-6,1,0,0,0,0.0172021,0\n"
#define OUTER "Outer,1e-5,0,100,0,0.00172021,0,0\n"
    cli_write("planets.csv", SUN EARTH "Outer,1e-4,0,4,0,0.00860105,0,0\n");
    const struct run *run = cli(0, "render", "--bodies-from", "planets.csv", "--save-scene", "-");
    assert_says(run->err, "units are 1 au 1731.46 km/s");
    assert_says(run->err, "2 bodies orbit the heaviest outermost in 8.00 yr film shows 3 orbits");
    assert_lacks(run->err, "warning");
    assert_says(run->err, "column name is not read");
    cli_write("moon.csv", SUN EARTH OUTER "Moon,0,1.001,0,0,0,0.0181444,0\n");
    run = cli(0, "render", "--bodies-from", "moon.csv", "--save-scene", "-");
    assert_says(run->err, "warning 2 bodies orbit outermost in 1000 yr shows resolve period days "
                          "simulation.steps_per_frame");
    cli_write("plain.csv", "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n0,1,0,0,0,1,0\n0,2,0,0,0,.7,0\n");
    run = cli(0, "render", "--bodies-from", "plain.csv", "--set", "bodies.length_unit=au",
              "--save-scene", "-");
    assert_says(run->err, "units are 1 au 29.7847 km/s 1 solar masses");
    assert_says(run->err, "2 bodies outermost in 2.75 yr film shows 3 orbits");
#undef SUN
#undef EARTH
#undef OUTER
}

TEST(slow_motion_says_what_it_takes)
{
    cli_need_gl();
    cli_write("slow.yaml", SCENE);
#define SLOW "--set", "simulation.slow=[{at: 0.5, factor: 4}]"
    const struct run *run = cli(0, "render", "slow.yaml", SLOW, "-o", "slow.hash");
    assert_says(run->err, "slow motion 2 frames film t=0.379657 t=0.44 story output.frames 14");
    assert_lacks(cli(0, "render", "slow.yaml", SLOW, "--frames", "14", "-o", "slow2.hash")->err,
                 "slow motion takes");
    cli(0, "render", "slow.yaml", SLOW, "--frames", "6", "-o", "slow4.hash"); /* before it */
    run = cli(0, "render", "slow.yaml", "--set", "simulation.slow=[{at: start, factor: 1000}]",
              "-o", "slow3.hash");
    assert_says(run->err, "factor");
#undef SLOW
}

TEST(stars_without_names_or_ages)
{
    cli_need_gl();
#define STARS                                                                                      \
    "--set", "look.color=stars", "--size", "64x48", "--frames", "2", "-y", "-o", "stars.hash"
    cli_write("plain.csv", "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,1,0,0,0,1,0\n");
    cli_write("aged.csv", "mass,x,y,z,vx,vy,vz,age [Gyr]\n1,0,0,0,0,0,0,1\n1,1,0,0,0,1,0,2\n");
    assert_says(
        cli(0, "render", "--bodies-from", "plain.csv", STARS)->err,
        "neither ages nor components look.color=stars one colour bodies.components velocity");
    assert_lacks(cli(0, "render", "--bodies-from", "aged.csv", STARS)->err, "one colour");
    assert_lacks(cli(0, "render", "plummer", "-n", "64", STARS)->err, "one colour");
    assert_lacks(
        cli(0, "render", "--bodies-from", "plain.csv", STARS, "--set", "look.color=velocity")->err,
        "one colour");
#undef STARS
}

TEST(what_nobody_will_see)
{
    cli_need_gl();
    cli_write("seen.yaml", SCENE);
    static const struct {
        const char *set[3], *said;
    } cases[] = {
        {{"look.background=white"}, "look.background white film printed"},
        {{"camera.distance=0.01"}, "camera among bodies camera.distance 0.01 half"},
        {{"camera.distance=0.01", "camera.frame=auto"}, "camera among bodies camera.distance"},
        {{"look.fade_in=0.7", "look.fade_out=0.6"}, "1.3 together film 1.2"},
        {{"overlay.card=2", "overlay.card_covers=true", "output.title=x"}, "title card film 1.2 2"},
        {{"overlay.captions=[{text: a, from: 0.2, to: 0.8}, {text: b, from: 0, to: 0.5}, "
          "{text: c, from: 0.4, to: 1}]",
          "overlay.readable=false"},
         "caption 1 a never visible later captions 0.2 0.8"},
    };
    static const char *const fine[] = {
        "look.background=yellow",
        "camera.distance=40",
        "camera.frame=auto",
        "look.fade_in=1.2",
        "overlay.card=2",
        "overlay.captions=[{text: a, from: 0.2, to: 0.8}, {text: b, from: 0.3, to: 99}]",
    };
    _Static_assert(sizeof fine / sizeof *fine == sizeof cases / sizeof *cases, "one for each");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *words[16] = {"render", "seen.yaml", "-y", "-o", "seen.hash"};
        for (int k = 0, at = 5; k < 3 && cases[i].set[k]; k++) {
            words[at++] = "--set";
            words[at++] = cases[i].set[k];
        }
        assert_says(cli_run(NULL, 0, words)->err, cases[i].said);
        const char *good[] = {"render",
                              "seen.yaml",
                              "-y",
                              "-o",
                              "seen.hash",
                              "--set",
                              fine[i],
                              "--set",
                              "output.title=x",
                              "--set",
                              "overlay.readable=false",
                              NULL};
        assert_lacks(cli_run(NULL, 0, good)->err, "warning");
    }
}

TEST(loops_come_again)
{
    cli_need_gl();
    cli_write("seen.yaml", SCENE);
#define LOOP "render", "seen.yaml", "-y", "--dry-run", "-o"
    assert_says(cli(0, LOOP, "loop.gif", "--set", "look.fade_out=0.5")->err,
                "every pass has its fades --set look.fade_in=0");
    assert_says(
        cli(0, LOOP, "loop.gif", "--set", "overlay.card=0.5", "--set", "output.title=x")->err,
        "every pass has its title card --set overlay.card=0");
    assert_lacks(cli(0, LOOP, "loop.gif")->err, "every pass");
    assert_lacks(cli(0, LOOP, "film.mp4", "--set", "look.fade_out=0.5")->err, "every pass");
#undef LOOP
    static const char *const turns[][3] = {{"75", "1", "with camera.orbit 75 and camera.zoom 1;"},
                                           {"360", "1.6", "camera.orbit 360 and camera.zoom 1.6;"},
                                           {"-720", "1", NULL}};
    for (int i = 0; i < 3; i++) {
        char orbit[32], zoom[32];
        snprintf(orbit, sizeof orbit, "camera.orbit=%s", turns[i][0]);
        snprintf(zoom, sizeof zoom, "camera.zoom=%s", turns[i][1]);
#define TURN "render", "seen.yaml", "-y", "-o", "seen.hash", "--set", orbit, "--set", zoom
        assert_lacks(cli(0, TURN)->err, "elsewhere");
        const struct run *run = cli(0, TURN, "--set", "output.loop=true");
        if (turns[i][2])
            assert_says(run->err, turns[i][2]);
        else
            assert_lacks(run->err, "elsewhere");
#undef TURN
    }
}

/* A range is not told about what lies outside it. */
TEST(ranges_are_told_of_their_frames)
{
    cli_need_gl();
    cli_write("seen.yaml", SCENE "look: {fade_in: 0.2, fade_out: 0.2}\n"
                                 "overlay: {card: 0.3, readable: false, "
                                 "captions: [{text: a, from: 0.2, to: 0.8}, "
                                 "{text: b, from: 0.1, to: 0.9}]}\n");
#define RANGE(first_to_last)                                                                       \
    "render", "seen.yaml", "-y", "--dry-run", "-o", "loop.gif", "--set", "output.title=x",         \
        "--frames", first_to_last
    assert_lacks(cli(0, RANGE("9..9"))->err, "warning");
    assert_says(cli(0, RANGE("9..10"))->err, "every pass has its fades");
    assert_lacks(cli(0, RANGE("9..10"))->err, "title card");
    assert_lacks(cli(0, RANGE("9..10"))->err, "never visible");
    assert_says(cli(0, RANGE("1..1"))->err, "every pass has its fades");
    assert_says(cli(0, RANGE("2..2"))->err, "every pass has its title card");
    assert_lacks(cli(0, RANGE("2..2"))->err, "fades");
    assert_says(cli(0, RANGE("7..8"))->err, "caption 1 a never visible");
    /* A third of the film needs three turns in the whole. */
#define TURN RANGE("4..7"), "--set", "output.loop=true", "--set"
    assert_says(cli(0, TURN, "camera.orbit=360")->err, "frames 4 to 7 orbit of 0 or 1080 degrees");
    assert_lacks(cli(0, TURN, "camera.orbit=1080")->err, "elsewhere");
#undef TURN
#undef RANGE
}

/* Names the fades that a short film shortens, and no others. */
TEST(shorter_fades_are_named)
{
    cli_need_gl();
    cli_write("faded.yaml", SCENE "look: {fade_in: 0.4, fade_out: 0.2}\n");
#define SHORT "faded.yaml", "-y", "-o", "seen.hash", "--duration", "0.6"
    assert_says(cli(0, "render", SHORT)->err, "film look.fade_in 0.2 look.fade_out 0.1");
    assert_says(cli(0, "render", SHORT, "--set", "look.fade_in=0.4")->err,
                "film look.fade_out 0.1");
#undef SHORT
}

TEST(ordinary_pictures_of_a_bright_scene)
{
    cli_need_gl();
    static const char said[] = "output.hdr is pq, but these pictures have no high dynamic range";
    cli_write("seen.yaml", SCENE);
#define BRIGHT "seen.yaml", "-y", "--set", "output.hdr=pq", "-o"
    assert_says(cli(0, "render", BRIGHT, "%d.png", "--dry-run")->err, said);
    assert_says(cli(0, "render", BRIGHT, "loop.gif", "--dry-run")->err, said);
    assert_says(cli(0, "still", BRIGHT, "bright.png", "--at", "0")->err, said);
    assert_says(cli(0, "sheet", BRIGHT, "bright.png", "--columns", "2", "--rows", "1")->err, said);
    assert_lacks(cli(0, "render", BRIGHT, "film.mp4", "--dry-run")->err, "ordinary");
    assert_lacks(cli(0, "still", "seen.yaml", "-y", "-o", "usual.png", "--at", "0")->err,
                 "ordinary");
#undef BRIGHT
}

TEST(a_card_over_the_passage)
{
    cli_need_gl();
#define CARD                                                                                       \
    "render", "-n", "256", "--size", "64x48", "-y", "-o", "card.hash", "--dry-run", "--set",       \
        "output.title=x", "--set", "overlay.card_covers=true", "--set", "camera.frame=fixed",      \
        "--set"
    static const char passage[] = "overlay.captions=[{text: a, from: pericentre, to: end}]";
    assert_says(cli(0, CARD, "overlay.card=8", "--set", passage)->err, "passage");
    assert_lacks(cli(0, CARD, "overlay.card=1", "--set", passage)->err, "title card");
    assert_lacks(cli(0, CARD, "overlay.card=8", "--set", passage, "--frames", "0..1")->err,
                 "title card"); /* the range is over before the passage */
    assert_lacks(cli(0, CARD, "overlay.card=8", "--set", "overlay.clock=false", "--set",
                     "overlay.captions=[]")
                     ->err,
                 "title card"); /* unknown without a pilot run */
#undef CARD
}

TEST(short_films)
{
    cli_need_gl();
    cli_write("fades.yaml", SCENE "look: {fade_in: 0.2, fade_out: 0.4}\n"
                                  "overlay: {card: 1, labels: [{of: galaxies}]}\n");
#define SHORT "render", "fades.yaml", "--duration", "0.6"
    const char said[] =
        "the film is short: fades shortened to 0.1 s and 0.2 s, title card left out; "
        "set look.fade_in, look.fade_out or overlay.card to change this";
    const char *err = cli(0, SHORT, "-o", "new/short.hash")->err;
    assert_contains(err, said);
    assert_contains(err, "created the folder 'new'\n");
    assert_contains(err, "overlay.labels[1].of: 'of: galaxies' chooses nothing");
    err = cli(0, SHORT, "-o", "new/short.hash", "-y", "--set", "look.fade_in=0.2", "--set",
              "overlay.card=0")
              ->err;
    assert_contains(err, "short: fade-out shortened to 0.2 s; set look.fade_out to");
    assert_lacks(err, "created");
    assert_lacks(cli(2, SHORT)->err, "is short");
    assert_lacks(cli(0, "simulate", "fades.yaml", "--duration", "0.6", "-o", "short.gvr")->err,
                 "is short");
    assert_contains(cli(0, SHORT, "-o", "other/short.hash", "--dry-run")->err,
                    "the folder 'other' does not exist; a run creates it\n");
#undef SHORT
}

TEST(captions_that_need_time)
{
    cli_need_gl();
    cli_write("read.yaml",
              "bodies: {model: plummer, count: 64}\n"
              "output: {frames: 70, fps: 10, size: 64x48}\n"
              "overlay: {captions: [{text: one, from: 0.2, to: 0.5}, {text: \"A {pericentre} B\", "
              "from: 2, to: 3}, {text: two, from: 3, to: 3.2}, {text: \"0123456789 0123456789 "
              "0123456789 0123456789 0123456789 0123456789\", from: 6, to: 7}]}\n");
#define READ "render", "read.yaml", "-y", "-o", "read.hash"
    const char *err = cli(0, READ)->err;
    assert_contains(err, "caption 2, 'A ... B', is left out: no first passage");
    assert_contains(err,
                    "caption 4, '0123456789 0123456789 0123456789 0123456789 0123456789 01...',");
    assert_contains(err, "\ncaptions 1 and 3 stay longer than the scene says, so that they can");
    err = cli(0, READ, "--frames", "25", "--set", "overlay.readable=true")->err;
    assert_contains(err, "\ncaption 1 stays longer than the scene says, so that it can");
#undef READ
    static const char *const pictures[][8] = {{"still", "read.yaml", "--at", "0", "-o", "read.png"},
                                              {"sheet", "read.yaml", "-o", "sheet.png"}};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        err = cli_run(NULL, 0, pictures[i])->err;
        assert_contains(err, "caption 2, 'A ... B', is left out: no first passage");
        assert_contains(err, "\ncaptions 1 and 3 stay longer than the scene says");
    }
    cli_write("apart.yaml", "output: {frames: 10, fps: 10, size: 64x48}\n"
                            "look: {panels: [{scene: read.yaml}, {scene: read.yaml}]}\n");
    assert_contains(cli(0, "still", "apart.yaml", "--at", "0", "-o", "apart.png")->err,
                    "panel 2: caption 2, 'A ... B', is left out: ");
}

TEST(titles_that_are_cut)
{
    cli_need_gl();
    cli_write("title.yaml", "bodies: {model: plummer, count: 64}\n"
                            "output: {frames: 4, size: 320x180}\n"
                            "overlay: {title: true, clock: false}\n");
#define TITLE "still", "title.yaml", "--at", "0", "-y", "-o", "title.png", "--set"
    assert_says(
        cli(0, TITLE,
            "output.title=How our galaxy and its neighbour will collide and then merge into one")
            ->err,
        "warning title cut How merge… shorten output.title overlay.size");
    assert_lacks(cli(0, TITLE, "output.title=How our galaxy")->err, "the title");
#undef TITLE
}

TEST(a_scene_without_bodies)
{
    static const char said[] = "the scene names no bodies";
    cli_write("bare.yaml", "overlay: {title: true}\n");
    cli_write("full.yaml", "bodies: {model: galaxies}\n");
    assert_says(cli(0, "info", "bare.yaml")->err, said);
    assert_says(cli(0, "render", "bare.yaml", "-n", "99", "--save-scene", "-")->err, said);
    assert_lacks(
        cli(0, "render", "bare.yaml", "--set", "bodies.model=plummer", "--save-scene", "-")->err,
        said);
    assert_lacks(cli(0, "info", "full.yaml")->err, said);
    assert_lacks(cli(0, "render", "full.yaml", "--save-scene", "-")->err, said);
    assert_lacks(cli(0, "info", "plummer")->err, said);
}

TEST(energy_that_drifts)
{
    cli_need_gl();
    cli_write("drift.yaml", "bodies: {model: plummer, count: 64}\n"
                            "output: {frames: 4, size: 64x48}\n"
                            "simulation: {dt: 0.1, softening: 0.02}\n");
#define DRIFT "render", "drift.yaml", "-y", "-o", "drift.hash"
    const char *err = cli(0, DRIFT)->err;
    assert_says(err, "warning energy preview film steps --set simulation.adaptive=0.05");
    assert_lacks(cli(0, DRIFT, "--set", "simulation.adaptive=0.05")->err, "warning");
#undef DRIFT
}

/* Few bodies use another force than the tree, which alone has steps of two lengths. */
TEST(steps_that_need_the_tree)
{
#define STEPS "simulate", "plummer", "-n", "16", "--set", "output.frames=2", "-y", "-o", "x.gvr"
    const struct run *run = cli(0, STEPS, "--set", "simulation.double_steps=1");
    assert_says(run->err, "simulation.double_steps needs the force tree it is not used set "
                          "simulation.force=tree");
    run = cli(0, STEPS, "--set", "simulation.double_steps=1", "--set", "simulation.long_steps=3");
    assert_says(run->err, "simulation.double_steps and long_steps need the force tree they are "
                          "not used");
    run = cli(0, STEPS, "--set", "simulation.double_steps=1", "--set", "simulation.force=tree");
    assert_lacks(run->err, "not used");
#undef STEPS
}

TESTS(cli_set_up, cli_tear_down)
