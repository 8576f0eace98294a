#!/usr/bin/env bash
# What `gravreel farm` writes for each scheduler: it is the language it claims to be, names with spaces and quotes
# are quoted, make really renders a film in ranges with the bytes of one run, and mistakes are one sentence.
# Slurm itself runs in tests/cluster. Usage: test_farm.sh PROGRAM
set -uo pipefail
program=$(readlink -f "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PATH=$(dirname "$program"):$PATH
failed=0 passed=0

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}

gravreel still -n 1 --at start --size 32x18 -o "$folder/gl.png" >"$folder/said" 2>&1
[ $? -eq 4 ] && { echo "skipped: no GL: $(cat "$folder/said")"; exit 77; }

place="$folder/it's \"a\" \$place"
film="a film's \$name 50%.mp4"
mkdir "$place" && cd "$place" || exit 1
gravreel render plummer -n 96 --size 64x36 --codec h264 --set output.frames=36 --set output.segment=12 \
  --save-scene 'my scene.yaml'
gravreel render 'my scene.yaml' -o one.mp4 --quiet
verdict $? "the film in one run"

# --- each engine's language ----------------------------------------------------------------------------------------
for engine in slurm opencue make; do
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
         if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)}
words = [shlex.split(line) for line in lists["draw"]]
assert [w[w.index("--frames") + 1] for w in words] == ["0..11", "12..23", "24..35"], words
assert all(w[:3] == ["gravreel", "render", "my scene.yaml"] and "--resume" in w for w in words), words
assert lists["simulate"][0] == "true" and len(lists["simulate"]) == 3
assert shlex.split(lists["finish"][0])[4] == sys.argv[1]
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
  SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$i sh "${@: -2:1}" "${@: -1}" >>"$FARM_LOG" 2>&1 || exit
done
echo 7
EOF
chmod +x "$folder/bin/sbatch"
FARM_LOG=$folder/log PATH=$folder/bin:$PATH sh job.slurm >said 2>&1
code=$?
verdict $code "the script submits: $(cat said; tail -n 3 "$folder/log")"
cmp -s one.mp4 "$film"
verdict $? "Slurm's script: the bytes of one run: $(tail -n 3 "$folder/log")"
[ "$(grep -c -- --dependency "$folder/log")" -eq 2 ] && grep -q aftercorr:7 "$folder/log"
verdict $? "dependencies: $(grep -- --dependency "$folder/log")"
[ ! -e "$film.farm" ]
verdict $? "the work folder is removed"

# --- make ------------------------------------------------------------------------------------------------------------
rm -f "$film"
make -s -j2 -f job.make draw-1 >said 2>&1 # interrupted after one range
verdict $? "a part of the work: $(tail -n 3 said)"
make -s -j2 -f job.make >said 2>&1
verdict $? "make renders: $(tail -n 3 said)"
cmp -s one.mp4 "$film" && [ ! -e "$film.farm" ]
verdict $? "make: the bytes of one run, and no work folder"
gravreel farm 'my scene.yaml' -o b.mp4 --tasks 3 --gpus 2 --engine make --quiet >said
[ "$(grep -oE -- '--device [0-9]' said | tr '\n' ' ')" = "--device 0 --device 0 --device 0 --device 1 --device 0 " ]
verdict $? "GPUs in turn: $(grep -oE -- '--device [0-9]' said | tr '\n' ' ')"

# --- several films ---------------------------------------------------------------------------------------------------
cp 'my scene.yaml' other.yaml
gravreel farm 'my scene.yaml' other.yaml -o films --engine make -O films.make --quiet && make -s -f films.make >said 2>&1
verdict $? "two films: $(tail -n 3 said)"
[ "$(grep -c '^complete: ' said)" -eq 2 ] && cmp -s one.mp4 'films/my scene.mp4'
verdict $? "the summary: $(tail -n 3 said)"
for engine in slurm opencue; do
  gravreel farm 'my scene.yaml' other.yaml -o more --engine $engine --quiet >films.$engine
  verdict $? "two films for $engine"
done
sh -n films.slurm && grep -q afterany films.slurm && python3 -m py_compile films.opencue
verdict $? "job files of two films"

# --- what is asked for on the command line, and mistakes -------------------------------------------------------------
gravreel farm 'my scene.yaml' -o b.mp4 --engine slurm --cpus 7 --gpus 2 --mem 3G --time 45 --partition long --quiet >said
grep -q "'--cpus-per-task=7 --mem=3072M --time=45 --gres=gpu:2'" said && grep -q 'SBATCH_PARTITION=long' said
verdict $? "options of a task: $(grep resources= said)"

refused() { # exit code, pattern, words of the command line
  local expected=$1 pattern=$2 code
  shift 2
  gravreel farm "$@" >printed 2>said </dev/null
  code=$?
  [ $code -eq "$expected" ] && grep -qE -- "$pattern" said && [ "$(grep -c . said)" -eq 1 ] && [ ! -s printed ]
  verdict $? "farm $*: exit code $code: $(cat said)"
}
refused 2 'slurm, opencue, make' 'my scene.yaml' -o b.mp4 --engine slrm2
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
sed 's/exposure: .*/exposure: adapt/' 'my scene.yaml' >adapt.yaml
refused 2 'adapt.*ranges' adapt.yaml -o b.mp4 --engine make

# --- the outline with its own library, without a server -----------------------------------------------------------------
if python3 -c 'import outline.cuerun, outline.backend.cue' 2>/dev/null; then
  rm -f "$film"
  HOME=$folder python3 - >said 2>&1 <<'EOF'
import importlib.machinery, importlib.util, subprocess
import xml.etree.ElementTree as xml
import outline.cuerun
loader = importlib.machinery.SourceFileLoader("job", "job.opencue")
job = importlib.util.module_from_spec(importlib.util.spec_from_loader("job", loader))
loader.exec_module(job)
spec = outline.cuerun.OutlineLauncher(job.make(), user="u", shot="s", show="t").serialize(use_pycuerun=False)
spec = xml.fromstring(spec[spec.index("<spec"):])
commands = {layer.get("name"): layer.find("cmd").text for layer in spec.iter("layer")}
waits = {}
for depend in spec.iter("depend"):
    waits.setdefault(depend.find("deplayer").text, []).append(depend.find("onlayer").text)
assert waits == {"simulate_1": ["simulate_0"], "simulate_2": ["simulate_1"], "finish_0": ["draw_0", "draw_1", "draw_2"],
                 "draw_0": ["simulate_0"], "draw_1": ["simulate_1"], "draw_2": ["simulate_2"]}, waits
done = set()
while commands: # as a farm would, each layer after those that it waits for
    name = next(n for n in sorted(commands) if done.issuperset(waits.get(n, [])))
    subprocess.run(["/bin/sh", "-c", commands.pop(name)], check=True, cwd="/")
    done.add(name)
EOF
  verdict $? "the outline in its library: $(tail -n 3 said)"
  cmp -s one.mp4 "$film"
  verdict $? "the outline's layers: the bytes of one run"
else
  echo "note: the outline is not loaded by its own library: Python has no opencue-pyoutline, or no packaging, which it needs"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
