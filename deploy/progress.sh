# Sourced by ./verify, ./demo and perf/run: runs what takes long and says meanwhile how far it is.

# progress WHAT LOG STATE COMMAND...: runs COMMAND with its output in LOG; its status. STATE is the
# function that reads LOG and prints in a few words how far it is. On a terminal that is drawn over,
# elsewhere a line comes every fifteen seconds. The caller's trap ends it with end_progress.
progress() {
  local what=$1 log=$2 state=$3 began=$SECONDS next=15 status
  shift 3
  # In the background, as a trap waits for what runs before it; without the locks of the caller.
  "$@" </dev/null >"$log" 2>&1 9>&- &
  working=$!
  while kill -0 "$working" 2>/dev/null; do
    if [ -t 2 ]; then
      printf '\r\033[K%s  %s  %d:%02d' "$what" "$("$state" <"$log" | cut -c 1-70)" $(((SECONDS - began) / 60)) $(((SECONDS - began) % 60)) >&2
    elif [ $((SECONDS - began)) -ge "$next" ]; then
      next=$((next + 15))
      printf '%s  %s  %d:%02d\n' "$what" "$("$state" <"$log")" $(((SECONDS - began) / 60)) $(((SECONDS - began) % 60)) >&2
    fi
    sleep 0.3
  done
  [ -t 2 ] && printf '\r\033[K' >&2
  wait "$working"
  status=$?
  working=
  return "$status"
}

# end_progress: for a trap
end_progress() {
  [ -n "${working:-}" ] || return 0
  kill "$working" 2>/dev/null
  wait "$working" 2>/dev/null
  working=
}

# How far Maven is: the module of how many, or what it fetches.
maven_state() {
  awk '/ Building Staithe.*\[[0-9]+\/[0-9]+\]/ { module = $0; sub(/.* Building Staithe( :: )?/, "", module); sub(/ [0-9][^ ]*SNAPSHOT */, " ", module); what = "" }
    /Downloading from / { what = $NF; sub(/.*\//, "", what); what = ", fetching " what; fetched++ }
    /Downloaded from / { what = "" }
    /Running dev\./ { what = $NF; sub(/.*\./, "", what); what = ", " what }
    /Tests run: .*<<< (FAILURE|ERROR)! -- in / { failed++ }
    END { print (module == "" ? "reading the build" : module) what (fetched ? ", " fetched " fetched" : "") (failed ? ", " failed " failed" : "") }'
}

# Why Maven's build failed, in one line: what could not be fetched, what does not compile, or what it says itself.
maven_failure() {
  local line
  line=$(grep -m 1 -oE 'No space left on device|(Could not (transfer|find)|Failed to read|Checksum validation failed).*' "$1" ||
    grep -m 1 -E '^\[ERROR\] /' "$1" || grep -m 1 -E '^\[ERROR\] ' "$1" || tail -n 1 "$1")
  # No addresses: the line is for whoever starts this, and the log has them.
  sed -E 's/^\[ERROR\] //; s# (from|to)/to [^ ]+ \([^)]*\)##; s# -> \[Help.*##' <<<"$line" | cut -c 1-300
}
