# Sourced by ./verify and ./demo: finds a JDK 25 and Maven, and gets what Debian can give.
# Every function answers on stdout or by its status; nothing here ends the caller.

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

# True where the system's Maven is 3.8.7 or newer; installs Debian's where there is none.
use_maven() {
  local version
  if ! command -v mvn >/dev/null; then
    if ! { may_install && install_packages maven && command -v mvn >/dev/null; }; then
      echo "missing: Maven 3.8.7 or newer; install it with: $(install_command maven)" >&2
      return 1
    fi
  fi
  version=$(mvn --version </dev/null 2>/dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p' | head -n 1)
  if [ "$(printf '3.8.7\n%s\n' "$version" | sort -V | head -n 1)" != 3.8.7 ]; then
    echo "missing: Maven 3.8.7 or newer; $(command -v mvn) is ${version:-of no known version}" >&2
    return 1
  fi
}

may_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

# The package lists of a fresh machine are empty or old: fetch them once, and only when needed.
refresh_apt() {
  if [ -z "${APT_LISTS_FRESH:-}" ]; then
    apt-get update -qq </dev/null >/dev/null 2>&1 || true
    APT_LISTS_FRESH=1
  fi
}

apt_knows() {
  refresh_apt
  apt-cache show "$1" >/dev/null 2>&1
}

install_packages() {
  refresh_apt
  (
    # Tests start servers by themselves: none may start as a service because its package came.
    # invoke-rc.d and deb-systemd-invoke ask this file first.
    if [ ! -e /usr/sbin/policy-rc.d ]; then
      trap 'rm -f /usr/sbin/policy-rc.d' EXIT
      printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d
    fi
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" \
      </dev/null >/dev/null 2>&1
  )
}

install_command() {
  local sudo=
  [ "$(id -u)" = 0 ] || sudo='sudo '
  echo "${sudo}apt-get install --no-install-recommends $*"
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
