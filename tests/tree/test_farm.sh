#!/usr/bin/env bash
# What `gravreel farm` writes for each scheduler: it is the language it claims to be, names with spaces and quotes
# are quoted, make really renders a film in ranges with the bytes of one run, a task continues after its time limit,
# baselines are checked apart and their reports merged, and mistakes are one sentence.
# Slurm itself runs in tests/cluster. Usage: test_farm.sh PROGRAM SHIM, which is tests/faults/shim.c
set -uo pipefail
program=$(readlink -f "$1")
shim=$(readlink -f "$2")
pages=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../docs" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PATH=$(dirname "$program"):$PATH
failed=0 passed=0

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}

gravreel still figure-eight --at start --size 32x18 -o "$folder/gl.png" >"$folder/said" 2>&1
[ $? -eq 4 ] && { echo "skipped: no GL: $(cat "$folder/said")"; exit 77; }

place="$folder/it's \"a\" \$place"
film="a film's \$name 50%.mp4"
mkdir "$place" && cd "$place" || exit 1
gravreel render plummer -n 96 --size 64x36 --codec h264 --set output.frames=36 --set output.segment=12 \
  --save-scene 'my scene.yaml'
gravreel render 'my scene.yaml' -o one.mp4 --quiet
verdict $? "the film in one run"

# --- each engine's language ----------------------------------------------------------------------------------------
for engine in slurm opencue flamenco make list; do
  gravreel farm 'my scene.yaml' -o "$film" --tasks 3 --engine $engine -O job.$engine 2>said
  code=$?
  verdict $code "$engine: $(cat said)"
  [ "$(grep -cE 'simulation .*drawing .*encoding|as 3 ranges|start it with' said)" -eq 3 ]
  verdict $? "$engine says what it gains: $(cat said)"
done
gravreel farm 'my scene.yaml' -o "$film" --tasks 3 --engine slurm --quiet >printed && cmp -s printed job.slurm
verdict $? "the job file on the standard output"
bash -n job.slurm && sh -n job.slurm
verdict $? "the shell reads the job file"
make -n -f job.make >said 2>&1
verdict $? "make reads the job file: $(cat said)"
if command -v python3 >/dev/null; then
  python3 -m py_compile job.opencue
  verdict $? "Python reads the job file"
  python3 - "$film" <<'EOF'
import ast, shlex, sys
lists = {node.targets[0].id: ast.literal_eval(node.value) for node in ast.parse(open("job.opencue").read()).body
         if isinstance(node, ast.Assign) and isinstance(node.value, (ast.List, ast.Constant))}
words = [shlex.split(line) for line in lists["draw"]]
assert [w[w.index("--frames") + 1] for w in words] == ["0..11", "12..23", "24..35"], words
assert all(w[:3] == ["gravreel", "render", "my scene.yaml"] and "--resume" in w for w in words), words
assert lists["simulate"][0] == "true" and len(lists["simulate"]) == 3
assert shlex.split(lists["finish"])[4] == sys.argv[1]
EOF
  verdict $? "the outline's lines"
fi

# --- Slurm's script against stand-ins that run the tasks at once -----------------------------------------------------
mkdir "$folder/bin"
cat >"$folder/bin/sbatch" <<'EOF'
#!/usr/bin/env bash
# Runs an array's tasks one after the other; prints a job's number as --parsable does.
count=1
for word; do
  case $word in
  --array=*) count=${word#--array=} count=${count#*-} count=$((${count%%[%]*} + 1)) ;;
  --dependency=*) echo "$word" >>"$FARM_LOG" ;;
  esac
done
[[ " $* " != *finish* ]] || count=1
for ((i = 0; i < count; i++)); do
  SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$i sh "${@: -2:1}" "${@: -1}" >>"$FARM_LOG" 2>&1 && continue
  echo "task $i ends with $?" >>"$FARM_LOG"
  [ -n "${FARM_GOES_ON:-}" ] || exit 1
done
echo 7
EOF
cat >"$folder/bin/scontrol" <<'EOF'
#!/bin/sh
# Ends the task that is requeued, as Slurm does.
echo "scontrol $*" >>"$FARM_LOG"
kill -KILL $PPID
EOF
chmod +x "$folder/bin/"*
FARM_LOG=$folder/log PATH=$folder/bin:$PATH sh job.slurm >said 2>&1
code=$?
verdict $code "the script submits: $(cat said; tail -n 3 "$folder/log")"
cmp -s one.mp4 "$film"
verdict $? "Slurm's script: the bytes of one run: $(tail -n 3 "$folder/log")"
[ "$(grep -c -- --dependency "$folder/log")" -eq 2 ] && grep -q aftercorr:7 "$folder/log"
verdict $? "dependencies: $(grep -- --dependency "$folder/log")"
[ ! -e "$film.farm" ]
verdict $? "the work folder is removed"

# --- the time limit of a task: SIGHUP to the script, as by sbatch's --signal=B:HUP -----------------------------------
gravreel render 'my scene.yaml' --set output.frames=600 --set output.segment=30 --size 320x180 --save-scene long.yaml --quiet
gravreel render long.yaml -o long-one.mp4 --quiet
verdict $? "the long film in one run"
gravreel farm long.yaml -o long.mp4 --tasks 1 --engine slurm -O long.sh --quiet
parts=long.mp4.farm/range-0000.mp4.parts
export FARM_LOG=$folder/limit
mkdir "$folder/halts" long.mp4.farm
cat >"$folder/halts/gravreel" <<'EOF'
#!/bin/sh
# Stops in the middle of its film, and waits to be continued.
LD_PRELOAD=$FARM_SHIM ASAN_OPTIONS=verify_asan_link_order=0:intercept_tls_get_addr=0 GRAVREEL_TEST_FAULT='halt 200' exec "$FARM_PROGRAM" "$@"
EOF
chmod +x "$folder/halts/gravreel"
status() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status" 2>/dev/null; } # process, line
task() { # restarts so far: the signal comes when the film has stopped in its middle; the exit code is the script's
  local number film=
  SLURM_RESTART_COUNT=$1 SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=0 FARM_SHIM=$shim FARM_PROGRAM=$program \
    PATH=$folder/halts:$folder/bin:$PATH sh long.sh draw >said 2>&1 &
  number=$!
  until [[ $(status "${film:-none}" State) == T* ]] || ! kill -0 $number 2>/dev/null; do
    sleep 0.01
    film=$(pgrep -P $number)
  done
  kill -HUP $number
  until [[ $(status "$film" ShdPnd) == *[13579bdf] ]] || ! kill -0 $number 2>/dev/null; do # the script has passed it on
    sleep 0.01
  done
  kill -CONT "$film"
  wait $number 2>/dev/null
}
task 3
[ $? -eq 129 ] && [ ! -e "$FARM_LOG" ] && ls $parts/segment-??????.mp4 >/dev/null
verdict $? "a task that was requeued three times ends in order: $(tail -n 2 said)"
task 2
[ $? -eq 137 ] && grep -qx 'scontrol requeue 7_0' "$FARM_LOG" && grep -q 'exit code 129.*will continue' said &&
  grep -qE '[1-9][0-9]* of 600 frames are done' said
verdict $? "at its time limit a task is requeued: $(tail -n 3 said)"
SLURM_RESTART_COUNT=3 SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=0 sh long.sh draw >said 2>&1
code=$?
grep -qE '[1-9][0-9]* of 600 frames are done' said
verdict $((code + $?)) "the requeued task continues: $(tail -n 3 said)"
sh long.sh finish >said 2>&1 && cmp -s long-one.mp4 long.mp4
verdict $? "the bytes of one run after two time limits: $(tail -n 3 said)"
unset FARM_LOG

# --- make ------------------------------------------------------------------------------------------------------------
rm -f "$film"
make -s -j2 -f job.make draw-1 >said 2>&1 # interrupted after one range
verdict $? "a part of the work: $(tail -n 3 said)"
make -s -j2 -f job.make >said 2>&1
verdict $? "make renders: $(tail -n 3 said)"
cmp -s one.mp4 "$film" && [ ! -e "$film.farm" ]
verdict $? "make: the bytes of one run, and no work folder"
gravreel farm 'my scene.yaml' -o b.mp4 --tasks 3 --gpus 3 --engine make -O gpus.make 2>said
grep -q 'start it with: make -j3 -f gpus.make' said && head -n 1 gpus.make | grep -q 'make -j3 -f FILE'
verdict $? "as many tasks at once as GPUs: $(tail -n 1 said; head -n 1 gpus.make)"
gravreel farm 'my scene.yaml' -o b.mp4 --tasks 3 --gpus 2 --engine make --quiet >said
[ "$(grep -oE -- '--device [0-9]' said | tr '\n' ' ')" = "--device 0 --device 0 --device 0 --device 1 --device 0 " ]
verdict $? "GPUs in turn: $(grep -oE -- '--device [0-9]' said | tr '\n' ' ')"

# --- the list ----------------------------------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
  rm -f "$film"
  python3 - >said 2>&1 <<'EOF'
import json, subprocess
done = set()
for line in open("job.list"):
    task = json.loads(line)
    assert set(task["after"]) <= done and {"cpus", "gpus", "mebibytes", "minutes"} < set(task), task
    subprocess.run(["sh", "-c", task["command"]], check=True)
    done.add(task["task"])
assert done == {f"{stage}-{k}" for stage in ("simulate", "draw") for k in range(3)} | {"finish-0"}, done
EOF
  verdict $? "the list's tasks: $(tail -n 3 said)"
  cmp -s one.mp4 "$film"
  verdict $? "the list: the bytes of one run"
fi

# --- Flamenco's job type, compiled by stand-ins that are as strict as the Manager and its workers ------------------------
cat >manager.js <<'EOF'
// Compiles the job type in a file as Flamenco's Manager does, in a context that has no more names than the Manager's; checks
// all that it makes against what the Manager's interface and the workers' commands accept; and runs its tasks one after the
// other, as workers would. Arguments: the job type, the settings of the job and, to be checked, a submitted job, as JSON.
const { spawnSync } = require("child_process"), vm = require("vm"), fs = require("fs"), path = require("path");
const [file, given, submitted] = process.argv.slice(2);
function demand(what, sentence) { if (!what) throw new Error(sentence); }
const text = value => typeof value === "string", whole = value => Number.isInteger(value);
const truth = value => typeof value === "boolean", among = (...words) => value => words.includes(value);
// Members with what they must be; ! after a name: it must be there.
function fits(value, members, what) {
    demand(value !== null && typeof value === "object", what + " is no object");
    for (const name of Object.keys(value)) demand(members[name] || members[name + "!"], `${what} has the member ${name}`);
    for (const [key, good] of Object.entries(members)) {
        const name = key.replace("!", "");
        if (name in value ? !good(value[name]) : key !== name) throw new Error(`${what}: ${name} is ${JSON.stringify(value[name])}`);
    }
}
const setting = {
    "key!": value => /^[a-z_][a-z0-9_]*$/.test(value), "type!": among("string", "int32", "float", "bool"),
    subtype: among("file_path", "dir_path", "file_name", "hashed_file_path"), choices: Array.isArray, propargs: value => typeof value === "object",
    description: text, default: () => true, eval: text, visible: among("visible", "hidden", "submission", "web"), required: truth, editable: truth,
};
const jobType = { "label!": text, description: text, "settings!": list => list.every(one => (fits(one, setting, "a setting"), true)) };
const commands = { // of workers of version 3.3
    exec: { "exe!": value => text(value) && value, args: list => Array.isArray(list) && list.every(text) },
    echo: { "message!": text }, sleep: { "duration_in_seconds!": value => value >= 0 },
};
const job = { "name!": text, "type!": text, type_etag: text, "priority!": whole, settings: value => typeof value === "object",
              metadata: value => typeof value === "object", "submitter_platform!": among("linux", "windows", "darwin", "manager") };
const taskTypes = ["blender", "ffmpeg", "file-management", "misc"]; // workers without a configuration of their own
class Task {
    constructor(name, type) { Object.assign(this, { name, type, commands: [], after: [] }); }
    addCommand(command) { this.commands.push(JSON.parse(JSON.stringify(command))); }
    addDependency(task) { demand(task instanceof Task, this.name + " depends on what is no task"); this.after.push(task); }
}
const author = {
    Task(name, type) {
        demand(text(name) && name.trim() && taskTypes.includes(type), `a task ${name} of type ${type}`);
        return new Task(name, type);
    },
    Command(name, parameters) {
        demand(commands[name], `workers have no command ${name}`);
        fits(parameters, commands[name], `the command ${name}`);
        return { name, parameters };
    },
};
const tasks = [];
const context = vm.createContext({ author, path: { join: path.join, dirname: path.dirname }, print() {}, alert() {},
                                   job: { settings: JSON.parse(given), addTask: task => tasks.push({ made: task, ...task, after: [...task.after] }) } });
vm.runInContext(fs.readFileSync(file, "utf8"), context, { filename: file });
fits(vm.runInContext("JOB_TYPE", context), jobType, "the job type");
if (submitted) {
    const read = JSON.parse(submitted), name = path.basename(file).replace(/[.]js$/, "").replace(/_/g, "-");
    fits(read, job, "the submitted job");
    demand(read.type === name, `the job is of type ${read.type}, and the file's is ${name}`);
    const keys = vm.runInContext("JOB_TYPE.settings.map(one => one.key)", context);
    for (const key of Object.keys(read.settings)) demand(keys.includes(key), "there is no setting " + key);
    process.exit();
}
vm.runInContext("compileJob(job)", context);
tasks.forEach((task, k) => {
    for (const before of task.after) demand(tasks.slice(0, k).some(one => one.made === before), `${task.name} waits for a task that is not of the job`);
    const { exe, args } = task.commands[0].parameters;
    const code = spawnSync(exe, args, { cwd: "/", stdio: "ignore" }).status;
    console.log([task.name, task.type, task.commands[0].name, code, ...task.after.map(one => one.name)].join(" "));
});
EOF
if command -v node >/dev/null; then
  rm -f "$film"
  node manager.js job.flamenco '{}' >said 2>&1
  [ "$(cat said)" = 'simulate-0 misc exec 0
simulate-1 misc exec 0 simulate-0
simulate-2 misc exec 0 simulate-1
draw-0 misc exec 0 simulate-0
draw-1 misc exec 0 simulate-1
draw-2 misc exec 0 simulate-2
finish-0 misc exec 0 draw-0 draw-1 draw-2' ]
  verdict $? "Flamenco's tasks: $(tail -n 8 said)"
  cmp -s one.mp4 "$film"
  verdict $? "Flamenco: the bytes of one run"
  mkdir "$folder/moved" && cp 'my scene.yaml' "$folder/moved/"
  node manager.js job.flamenco "{\"folder\": \"$folder/moved\"}" >said 2>&1
  cmp -s one.mp4 "$folder/moved/$film"
  verdict $? "Flamenco: the tasks run in the folder of the job's settings: $(tail -n 3 said)"
  cp job.flamenco film.js
  node manager.js film.js '{}' "$(sed -n "s/^  -d '\(.*\)'$/\1/p" "$pages/cluster.md")" >said 2>&1
  verdict $? "Flamenco accepts the job of docs/cluster.md: $(tail -n 5 said)"
  planted() { # what is done to the job type, and what is said of it
    sed "$1" job.flamenco >planted.js
    ! cmp -s planted.js job.flamenco && ! node manager.js planted.js '{}' >said 2>&1 && grep -qF "$2" said
    verdict $? "nobody noticed $1: $(tail -n 5 said)"
  }
  planted 's/"exec"/"execute"/' 'workers have no command execute'
  planted 's/exe: /program: /' 'the command exec has the member program'
  planted 's/args: \[.*\]/args: command/' 'the command exec: args is'
  planted 's/"misc"/"film"/' 'of type film'
  planted 's/subtype: "dir_path"/subtype: "folder"/' 'a setting: subtype is "folder"'
  planted 's/made\[before\]/before/' 'depends on what is no task'
  planted 's/const made = {}/setTimeout(print); const made = {}/' 'setTimeout is not defined'
else
  echo "note: Flamenco's job type is not compiled: there is no node"
fi

# --- the options of render -------------------------------------------------------------------------------------------
changes=(-n 64 --frames 24 --set look.color=speed --set "output.title=it's \$5" --crf 30 --codec-option tune=animation --pad)
gravreel farm 'my scene.yaml' -o changed.mp4 "${changes[@]}" --tasks 2 --engine make -O changed.make --quiet &&
  make -s -f changed.make >said 2>&1 && gravreel render 'my scene.yaml' -o alone.mp4 "${changes[@]}" --quiet &&
  cmp -s alone.mp4 changed.mp4
verdict $? "the tasks have the options of the job: $(tail -n 3 said)"
for engine in slurm opencue flamenco; do
  gravreel farm 'my scene.yaml' -o changed.mp4 -y "${changes[@]}" --tasks 2 --engine $engine --quiet | grep -q -- '--crf=30'
  verdict $? "$engine: the options of the job"
done

# --- several films ---------------------------------------------------------------------------------------------------
cp 'my scene.yaml' other.yaml
gravreel farm 'my scene.yaml' other.yaml -o films --engine make -O films.make --quiet && make -s -f films.make >said 2>&1
verdict $? "two films: $(tail -n 3 said)"
[ "$(grep -c '^complete: ' said)" -eq 2 ] && cmp -s one.mp4 'films/my scene.mp4'
verdict $? "the summary: $(tail -n 3 said)"
for engine in slurm opencue flamenco; do
  gravreel farm 'my scene.yaml' other.yaml -o more --engine $engine --quiet >films.$engine
  verdict $? "two films for $engine"
done
mkdir $'two\nlines' && (cd $'two\nlines' && gravreel farm plummer -o film.mp4 --engine flamenco --quiet | grep -qF "two\nlines';")
verdict $? "a folder whose name has two lines"
sh -n films.slurm && grep -q afterany films.slurm && python3 -m py_compile films.opencue
verdict $? "job files of two films"

# --- an exposure that follows the light of every frame -----------------------------------------------------------------
gravreel render plummer -n 200 --set bodies.virial_ratio=0.01 --size 64x36 --codec h264 --set output.frames=60 --set output.segment=12 \
  --set look.exposure=adapt --save-scene adapt.yaml --quiet && gravreel render adapt.yaml -o adapt-one.mp4 --quiet
verdict $? "the adapting film in one run"
gravreel farm adapt.yaml -o adapt.mp4 --tasks 5 --engine make -O adapt.make 2>said
code=$?
grep -q 'adapt meters every frame' said
verdict $((code + $?)) "ranges of an adapting film: $(cat said)"
make -s -j2 -f adapt.make simulate-2 draw-1 >said 2>&1
ls adapt.mp4.farm/checkpoints/exposure-*-000012.json adapt.mp4.farm/checkpoints/exposure-*-000024.json >/dev/null
verdict $? "exposures beside the checkpoints: $(ls adapt.mp4.farm/checkpoints; tail -n 3 said)"
grep -q 'simulation starts at frame 12,' said
verdict $? "a range continues the exposure: $(tail -n 3 said)"
make -s -j2 -f adapt.make >said 2>&1 && cmp -s adapt-one.mp4 adapt.mp4
verdict $? "ranges of an adapting film: the bytes of one run: $(tail -n 3 said)"

# --- a folder of scenes ----------------------------------------------------------------------------------------------
mkdir -p scenes/old.yaml empty one
cp other.yaml scenes/b.yml && cp other.yaml scenes/a.yaml && cp other.yaml scenes/old.yaml/c.yaml && cp other.yaml one/
cp other.yaml scenes/.hidden.yaml && echo notes >scenes/notes.txt
gravreel farm scenes/ -o films --engine make >said 2>heard
[ "$(grep -oE 'render [^ ]+ -o [^ ]+' said | tr '\n' ' ')" = "render scenes/a.yaml -o films/a.mp4 render scenes/b.yml -o films/b.mp4 " ]
verdict $? "a folder's scenes by name: $(cat said heard)"
gravreel farm one -o few --engine make --quiet >said && grep -q ' -o few/other.mp4' said
verdict $? "a folder with one scene makes a folder of films: $(cat said)"

# --- baselines ---------------------------------------------------------------------------------------------------------
mkdir -p 'base lines/more'
record() { gravreel baseline "$1" --size 64x36 --frames 3 -o "$2" --quiet; }
record 'my scene.yaml' 'base lines' && record one/other.yaml 'base lines/more' && record other.yaml 'base lines/more/again'
verdict $? "three baselines"
for engine in slurm opencue flamenco make list; do
  gravreel farm --check 'base lines' -o reports --engine $engine -O check.$engine 2>said
  verdict $? "baselines for $engine: $(cat said)"
done
grep -q '3 baselines, a task each, with .* 60 minutes' said
verdict $? "what a check asks for: $(cat said)"
gravreel check 'base lines' -o whole --quiet
make -s -j2 -f check.make >said 2>&1
verdict $? "make checks baselines: $(tail -n 3 said)"
names() { grep -oE '"(name|verdict)": "[^"]*"' "$1"; }
[ "$(names reports/report.json)" = "$(names whole/report.json)" ] && [ -s reports/report.html ] &&
  [ "$(grep -c '"name": ' reports/report.json)" -eq 3 ]
verdict $? "the merged report is that of one check: $(names reports/report.json | tr '\n' ' ')"
sed -i 's/exposure: .*/exposure: 3/' other.yaml
FARM_GOES_ON=1 FARM_LOG=$folder/checked PATH=$folder/bin:$PATH sh check.slurm >said 2>&1
grep -q 'task 0 ends with 3' "$folder/checked" && grep -q '1 of 3 baselines do not pass' "$folder/checked"
verdict $? "a changed film in Slurm's script: $(tail -n 3 "$folder/checked")"
grep -q -- --dependency=afterany:7 "$folder/checked" && [ -s 'reports/more/again/other/report.json' ]
verdict $? "the report is made of failed checks too: $(find reports -name report.json)"
sed -i 's/^    2) .*/    2) exit 1 ;;/' check.slurm # a task that never begins its check
FARM_GOES_ON=1 FARM_LOG=$folder/checked PATH=$folder/bin:$PATH sh check.slurm >said 2>&1
grep -q '2 of 3 baselines do not pass' "$folder/checked" && grep -q 'no report has a result' reports/report.json
verdict $? "no report of an earlier job is merged: $(tail -n 3 "$folder/checked")"
python3 -m py_compile check.opencue && grep -q -- 'test $? -eq 3' check.opencue && grep -q 'test $? -eq 3' check.flamenco
verdict $? "the outline and the job type of a check"

# --- what is asked for on the command line, and mistakes -------------------------------------------------------------
gravreel farm 'my scene.yaml' -o b.mp4 --engine slurm --cpus 7 --gpus 2 --mem 3G --time 45 --partition long --quiet >said
grep -q "'--cpus-per-task=7 --mem=3072M --time=45'" said && grep -q 'gres=gpu:2' said && grep -q 'SBATCH_PARTITION=long' said
verdict $? "options of a task: $(grep resources= said)"

refused() { # exit code, pattern, words of the command line
  local expected=$1 pattern=$2 code
  shift 2
  gravreel farm "$@" >printed 2>said </dev/null
  code=$?
  [ $code -eq "$expected" ] && grep -qE -- "$pattern" said && [ "$(grep -c . said)" -eq 1 ] && [ ! -s printed ]
  verdict $? "farm $*: exit code $code: $(cat said)"
}
refused 2 'slurm, opencue, flamenco, make, list' 'my scene.yaml' -o b.mp4 --engine slrm2
refused 2 '--engine' 'my scene.yaml' -o b.mp4
refused 2 'no output given; .*-o' 'my scene.yaml' --engine make
refused 2 '--tasks' 'my scene.yaml' -o b.mp4 --engine make --tasks 0
refused 2 'at most --tasks 3 ' 'my scene.yaml' -o b.mp4 --engine make --tasks 37
refused 2 'one\.mp4.*exists already' 'my scene.yaml' -o one.mp4 --engine make
refused 2 'frames/.*ranges can be joined' 'my scene.yaml' -o 'frames/%04d.png' --engine make
refused 2 'job.make.*exists already' 'my scene.yaml' -o b.mp4 --engine make -O job.make
refused 2 'leave out --tasks' 'my scene.yaml' other.yaml -o more --engine make --tasks 2
refused 2 'would both become' other.yaml ./other.yaml -o more --engine make
refused 2 'control character' 'my scene.yaml' -o $'b\nc.mp4' --engine make
refused 2 'no scene in the folder .empty.' empty -o more --engine make
refused 2 '1 scene of a folder.*leave out --tasks' one -o more --engine make --tasks 2
refused 2 'leave out --tasks' --check 'base lines' -o more --engine make --tasks 2
refused 2 'no baseline given' --check -o more --engine make
refused 5 'nowhere' --check nowhere -o more --engine make
refused 2 'folder of a baseline' --check 'base lines' -o 'base lines/reports' --engine make
mkdir -p 'mine/my scene' && echo '{}' >'mine/my scene/report.json'
refused 2 'not written by a check' --check 'base lines' -o mine --engine make

# --- the outline with its own library, without a server -----------------------------------------------------------------
if python3 -c 'import outline.cuerun, outline.backend.cue' 2>/dev/null; then
  rm -f "$film"
  cat >run.py <<'EOF'
# Runs the layers of an outline as a farm would, each after those that it waits for; prints what waits for what, and the
# exit code of the last layer.
import importlib.machinery, importlib.util, subprocess, sys
import xml.etree.ElementTree as xml
import outline.cuerun
loader = importlib.machinery.SourceFileLoader("job", sys.argv[1])
job = importlib.util.module_from_spec(importlib.util.spec_from_loader("job", loader))
loader.exec_module(job)
spec = outline.cuerun.OutlineLauncher(job.make(), user="u", shot="s", show="t").serialize(use_pycuerun=False)
spec = xml.fromstring(spec[spec.index("<spec"):])
commands = {layer.get("name"): layer.find("cmd").text for layer in spec.iter("layer")}
waits = {name: [] for name in commands}
for depend in spec.iter("depend"):
    waits[depend.find("deplayer").text].append(depend.find("onlayer").text)
print("; ".join(f"{name} {' '.join(sorted(waits[name]))}".strip() for name in sorted(waits)))
done = set()
while commands:
    name = next(n for n in sorted(commands) if done.issuperset(waits[n]))
    code = subprocess.run(["/bin/sh", "-c", commands.pop(name)], cwd="/", stdout=subprocess.DEVNULL).returncode
    assert code == 0 or not commands, name
    done.add(name)
print(code)
EOF
  HOME=$folder python3 run.py job.opencue >said 2>heard
  [ "$(tail -n 2 said)" = "draw_0 simulate_0; draw_1 simulate_1; draw_2 simulate_2; finish_0 draw_0 draw_1 draw_2; \
simulate_0; simulate_1 simulate_0; simulate_2 simulate_1
0" ]
  verdict $? "the outline in its library: $(tail -n 3 said heard)"
  cmp -s one.mp4 "$film"
  verdict $? "the outline's layers: the bytes of one run"
  rm -r reports
  HOME=$folder python3 run.py check.opencue >said 2>heard # of a scene that has changed
  [ "$(tail -n 2 said)" = "begin_0; draw_0 begin_0; draw_1 begin_0; draw_2 begin_0; finish_0 draw_0 draw_1 draw_2
3" ] && [ "$(names reports/report.json | grep -c '"verdict": "changed"')" -gt 0 ]
  verdict $? "the outline of a check in its library: $(tail -n 3 said heard)"
else
  echo "note: the outline is not loaded by its own library: Python has no opencue-pyoutline, or no packaging, which it needs"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
