#!/usr/bin/env bash
# What only the whole program can show: closed and full streams, signals, too little memory.
# usage: program_test.sh ATTNSCOPE
set -uo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
failures=0

# Seconds that only what would hang for ever meets, on whichever machine.
hangs=600

# comes PID COMMAND...: waits until the command says yes, or the program has ended.
comes() {
  local pid=$1 end=$((SECONDS + hangs))
  shift
  until "$@" >/dev/null; do
    kill -0 "$pid" 2>/dev/null || return 0
    if [ "$SECONDS" -gt "$end" ]; then
      echo "FAILED: no $* in $hangs s"
      failures=$((failures + 1))
      return 0
    fi
    sleep 0.02
  done
}

# writes PID: whether it writes a file of this folder, which may have no name yet.
writes() { readlink "/proc/$1/fd/"* 2>/dev/null | grep -F "$PWD/" >/dev/null; }

# ends SIGNAL PID: sends the signal, and sets `status` to the program's exit status.
ends() {
  kill -s "$1" "$2"
  timeout "$hangs" tail --pid="$2" -f /dev/null ||
    { echo "FAILED: SIG$1 did not end it in $hangs s" && failures=$((failures + 1)) && kill -s KILL "$2"; }
  wait "$2"
  status=$?
}

# expect STATUS WHAT WORDS: the program with these words, and redirections, and its exit status.
expect() {
  local wanted=$1 what=$2 got
  shift 2
  timeout "$hangs" bash -c "\"$program\" $*"
  got=$?
  if [ "$got" != "$wanted" ]; then
    echo "FAILED: $what: expected status $wanted, got $got"
    failures=$((failures + 1))
  fi
}

expect 2 "no standard error" 'export zzz -o q.png 2>&-'
expect 2 "a full standard error" 'export zzz -o q.png 2>/dev/full'
expect 1 "help to a full device" '--help >/dev/full 2>&1'
expect 1 "version to a full device" '--version >/dev/full 2>&1'
expect 1 "labs to a full device" 'labs --json >/dev/full 2>&1'
expect 1 "version without a standard output" '--version 2>/dev/null >&-'

# What is said must not land in the file that happens to get a closed stream's number.
echo '{"attnscope":1,"lab":"masks","views":{"none":[0,1,0,1]}}' >session.attn
expect 0 "a remark with all streams closed" \
  'export masks -o closed.json --session session.attn <&- >&- 2>&-'
grep -q 'attnscope: ' closed.json && echo "FAILED: a remark in closed.json" && failures=$((failures + 1))

# Whichever layer misses what, all of the sentence is Chinese.
said=$(env -u DISPLAY -u WAYLAND_DISPLAY "$program" --lang zh_CN 2>&1)
[[ $said == *"无法打开窗口（没有显示器：WAYLAND_DISPLAY 和 DISPLAY 都没有设置）"* ]] ||
  { echo "FAILED: without a display it says $said" && failures=$((failures + 1)); }

mkfifo pipe.attn
expect 1 "a pipe for a session" 'pipe.attn 2>/dev/null'
expect 1 "a pipe to export from" 'export masks -o x.png --session pipe.attn 2>/dev/null'

# Ended in the midst of writing some hundred megabytes.
for signal in INT TERM HUP KILL; do
  # A shell lets what runs in its background ignore SIGINT.
  env --default-signal=INT \
    "$program" export multi_head --preset long --set length=8000 --figure weights -o large.json &
  pid=$!
  comes "$pid" writes "$pid"
  ends "$signal" "$pid"
  if compgen -G '.large.json.*' >/dev/null; then
    echo "FAILED: SIG$signal left $(compgen -G '.large.json.*')"
    failures=$((failures + 1))
  fi
  [ "$status" -gt 128 ] || echo "note: SIG$signal came too late"
done

# A film that is ended on its way leaves neither itself nor a part of it; what was there stays.
for name in film.gif film.png; do
  echo old >"$name"
  env --default-signal=INT \
    "$program" sweep multi_head --param temperature=0.05:20 --frames 400 -o "$name" 2>/dev/null &
  pid=$!
  comes "$pid" writes "$pid"
  ends INT "$pid"
  if compgen -G ".$name.*" >/dev/null || [ "$(cat "$name")" != old ]; then
    echo "FAILED: SIGINT left $(compgen -G ".$name.*") and $(head -c 20 "$name")"
    failures=$((failures + 1))
  fi
  [ "$status" -gt 128 ] || { echo "FAILED: SIGINT came too late for $name"; failures=$((failures + 1)); }
done
# Of a folder of frames nothing is left, and frames that were there stay as they were.
mkdir -p kept
echo old >kept/frame-0001.png
for frames in frames kept; do
  env --default-signal=INT \
    "$program" sweep multi_head --param temperature=0.05:20 --frames 400 -o "$frames" 2>/dev/null &
  pid=$!
  comes "$pid" compgen -G "$frames/.frame-0002.png.*"
  ends INT "$pid"
  [ "$status" -gt 128 ] || { echo "FAILED: SIGINT came too late for $frames"; failures=$((failures + 1)); }
done
if [ -e frames ] || [ "$(ls -A kept)" != frame-0001.png ] || [ "$(cat kept/frame-0001.png)" != old ]; then
  echo "FAILED: SIGINT left $(ls -A frames kept)"
  failures=$((failures + 1))
fi
expect 2 "a film without a kind" 'sweep softmax --param temperature=1:2 -o x.jpg 2>/dev/null'
expect 2 "a film of nothing" 'sweep softmax -o x.gif 2>/dev/null'
[ -e x.gif ] && echo "FAILED: x.gif is there" && failures=$((failures + 1))

# Too little address space: a sentence and a status, not a signal or a wait. Sanitizers reserve
# terabytes of it themselves.
limits="60000 100000 150000 200000 250000 300000 350000 400000 500000 700000"
nm -D "$program" 2>/dev/null | grep ' __[at]san_init' >/dev/null && limits=
for limit in $limits; do
  (
    ulimit -v "$limit"
    timeout "$hangs" "$program" export masks --preset long -o small.png >said 2>&1
  )
  status=$?
  # 127: not even its libraries fit, as the loader says.
  if [ "$status" -gt 2 ] && [ "$status" != 127 ]; then
    echo "FAILED: status $status with $limit kB of address space: $(head -c 300 said)"
    failures=$((failures + 1))
  fi
done

[ "$failures" = 0 ] && echo "streams, signals and memory: as it should be"
exit "$((failures > 0))"
