# Sourced by ./verify, ./demo and perf/run: finds a JDK 25 and Maven, and gets what Debian can give.
# Every function answers on stdout or by its status and says in one line on stderr what to do where
# it cannot; nothing here ends the caller. deploy/progress.sh comes with it.
. "$(dirname "${BASH_SOURCE[0]}")/progress.sh"

# True where $1 is the home of a whole JDK 25. It is asked, not read from its name.
is_jdk25() {
  [ -x "$1/bin/javac" ] && [ -x "$1/bin/java" ] &&
    "$1/bin/javac" -version 2>&1 | grep -Eq '^javac 25([.+-]|$)'
}

# Prints the home of a JDK 25: JAVA_HOME, then PATH, then the usual places.
find_jdk25() {
  local candidate on_path
  on_path=$(command -v javac 2>/dev/null || true)
  [ -n "$on_path" ] && on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for candidate in "${JAVA_HOME:-}" "$on_path" \
    /usr/lib/jvm/* /usr/java/* /opt/* /opt/*/* /usr/local/*jdk* \
    "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$candidate" ] && is_jdk25 "$candidate"; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

# Exports JAVA_HOME and PATH for a JDK 25, or says in one line what to do.
use_jdk25() {
  local home package
  if ! home=$(find_jdk25); then
    for package in openjdk-25-jdk-headless temurin-25-jdk; do
      if may_install && apt_knows "$package" && install_packages "$package" && home=$(find_jdk25); then
        break
      fi
    done
  fi
  if [ -z "${home:-}" ]; then
    echo "missing: no JDK 25 in JAVA_HOME, PATH, /usr/lib/jvm, ~/.sdkman or /opt; install one and set JAVA_HOME" >&2
    return 1
  fi
  export JAVA_HOME=$home PATH="$home/bin:$PATH"
}

# True where there is a Maven, of 3.8.7 or newer.
use_maven() {
  local version
  need mvn=maven || return 1
  version=$(mvn --version </dev/null 2>/dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p' | head -n 1)
  [ "$(printf '3.8.7\n%s\n' "$version" | sort -V | head -n 1)" = 3.8.7 ] && return 0
  echo "missing: Maven 3.8.7 or newer; $(command -v mvn) is ${version:-of no known version}" >&2
  return 1
}

may_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

# need PAIR...: has what is missing installed, all of it at once, or says the one command that does.
# Pairs as missing_packages takes them.
need() {
  local missing
  missing=$(missing_packages "$@" | xargs)
  [ -n "$missing" ] || return 0
  if may_install; then
    printf 'installing %s\n' "$missing" >&2
    # shellcheck disable=SC2086 # a list of package names
    install_packages $missing
    missing=$(missing_packages "$@" | xargs)
    [ -n "$missing" ] || return 0
    printf 'missing: %s; apt-get could not install it: %s\n' "$missing" "$apt_said" >&2
  elif command -v apt-get >/dev/null; then
    # shellcheck disable=SC2086 # a list of package names
    printf 'missing: %s; install with: %s\n' "$missing" "$(install_command $missing)" >&2
  else
    printf 'missing: %s (names of Debian packages), and there is no apt-get here to install them\n' "$missing" >&2
  fi
  return 1
}

# apt WORD...: apt-get; where it fails, $apt_said is why, in one line.
apt_said=
apt() {
  local log status
  log=$(mktemp)
  progress "  apt-get $1" "$log" apt_state env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@"
  status=$?
  [ "$status" = 0 ] || [ -n "$apt_said" ] || apt_said=$(grep -m 1 '^E: ' "$log" || tail -n 1 "$log")
  rm -f "$log"
  return "$status"
}

apt_state() {
  awk '/^(Get|Unpacking|Setting up|Processing)/ { last = $0 } END { sub(/ \(.*/, "", last); sub(/ (over|for) .*/, "", last); print last }'
}

# The package lists of a fresh machine are empty or old: fetched once, and only when needed.
refresh_apt() {
  [ -z "${apt_lists_fresh:-}" ] || return 0
  apt_lists_fresh=1
  apt update -o APT::Update::Error-Mode=any
}

apt_knows() {
  refresh_apt
  apt-cache show "$1" >/dev/null 2>&1
}

# forbidding PROCESS: a policy-rc.d that lets no service start while this process lives, by its number and its begin:
# one that was killed before it could remove the file keeps nobody's services from starting.
forbidding() {
  printf '#!/bin/sh\n# until Staithe has installed what it needs\n[ "$(cut -d " " -f 22 /proc/%s/stat 2>/dev/null)" != "%s" ] || exit 101\n' \
    "$1" "$(cut -d ' ' -f 22 "/proc/$1/stat")"
}

install_packages() {
  local policy=/usr/sbin/policy-rc.d made=false status
  refresh_apt
  # What was interrupted before is ended first: apt-get does nothing until then.
  [ -z "$(ls /var/lib/dpkg/updates 2>/dev/null)" ] || DEBIAN_FRONTEND=noninteractive dpkg --configure -a </dev/null >/dev/null 2>&1
  # Tests start servers by themselves: none may start as a service because its package came.
  # invoke-rc.d and deb-systemd-invoke ask this file first.
  if [ ! -e "$policy" ] || grep -q 'until Staithe has' "$policy"; then
    forbidding $$ >"$policy" && chmod 755 "$policy" && made=true
  fi
  apt install -y --no-install-recommends "$@"
  status=$?
  $made && rm -f "$policy"
  return "$status"
}

# For whoever is no root, or has no apt-get: the lists of a fresh machine are empty.
install_command() {
  local sudo=
  [ "$(id -u)" = 0 ] || sudo='sudo '
  echo "${sudo}apt-get update && ${sudo}apt-get install --no-install-recommends $*"
}

# Prints, one per line, the Debian packages whose commands are not on this machine.
# Arguments are pairs command=package; a command with a slash is a file pattern.
missing_packages() {
  local pair command
  for pair in "$@"; do
    command=${pair%%=*}
    case $command in
      */*) compgen -G "$command" >/dev/null || echo "${pair#*=}" ;;
      *) command -v "$command" >/dev/null || echo "${pair#*=}" ;;
    esac
  done | sort -u
}
