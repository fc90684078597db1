# Sourced by the scripts beside it: what a peer needs, and the wait for what it must be able to do.
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../deploy/find-tools.sh"

# Servers live there, which the PATH of an ordinary user leaves out.
PATH=$PATH:/usr/sbin:/sbin

# needs PROGRAM=PACKAGE...: ends the script, in one line, where one is not on this machine; a program
# with a slash is a file pattern
needs() {
  local missing
  missing=$(missing_packages "$@" | xargs)
  [ -z "$missing" ] || refuse "missing: $missing; install with: $(install_command "$missing")"
}

refuse() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}

# await SECONDS PROCESS COMMAND...: until the command succeeds. Fails as soon as the process has
# ended, and when the time is over.
await() {
  local end=$((SECONDS + $1)) process=$2
  shift 2
  until "$@"; do
    kill -0 "$process" 2>/dev/null && [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

# last_words FILE...: the last line that says something, for a message
last_words() {
  cat "$@" 2>/dev/null | grep -v '^[[:space:]]*$' | tail -n 1 | cut -c 1-300
}
