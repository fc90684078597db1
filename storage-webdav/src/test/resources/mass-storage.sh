#!/bin/sh
# A mass storage in miniature: mass-storage.sh TAPE VERB FILE…
#
# TAPE is a folder that stands for the tapes. A file that is on tape alone keeps its name, length and time, and has
# no blocks. What goes wrong is said by TAPE/fault/NAME (of all: TAPE/fault/all), which holds one of: fail, hang, die,
# lie, slow, linger, lost, babble, keep, late. TAPE/log has a line for each begin and end.
set -eu
tape=$1 verb=$2
shift 2

fault() {
  cat "$tape/fault/$(basename "$1")" 2>/dev/null || cat "$tape/fault/all" 2>/dev/null || echo none
}

on_tape() {
  echo "$tape/$(printf %s "$1" | sha256sum | cut -c1-40)"
}

on_disk() {
  [ "$(stat -c %s "$1")" -eq 0 ] || [ "$(($(stat -c %b "$1") * 512))" -gt "$(stat -c %s "$1")" ]
}

# To the end of its last block, which would stay otherwise.
evict() {
  fallocate --punch-hole --offset 0 --length "$((($(stat -c %s "$1") / 65536 + 1) * 65536))" "$1"
  touch -r "$(on_tape "$1")" "$1"
}

# Not for the storage element: what the site's own rules do when a file is to leave the disk.
migrate() {
  cp --preserve=timestamps "$1" "$(on_tape "$1")"
  setfattr -n user.storm.migrated -v 1 "$1"
  evict "$1"
}

recall() {
  copy=$(on_tape "$1")
  case $(fault "$1") in
    fail) echo "drive 3: no such volume in $tape" >&2; exit 5 ;;
    hang) sleep 600 ;;
    die) kill -9 $$ ;;
    lie) exit 0 ;;
    slow) while [ ! -e "$tape/go" ]; do sleep 0.1; done ;;
  esac
  # In place, from the beginning on: until the last block is there, one is missing.
  dd if="$copy" of="$1" conv=notrunc bs=64k status=none
  touch -r "$copy" "$1"
  # It is there, and the command that brought it has not ended.
  case $(fault "$1") in
    linger) echo "recall came $1" >> "$tape/log"; sleep 600 ;;
  esac
}

release() {
  case $(fault "$1") in
    keep) sleep 600 ;;
    late) while [ ! -e "$tape/go" ]; do sleep 0.1; done ;;
  esac
  evict "$1"
}

status() {
  for file; do
    case $(fault "$file") in
      fail) exit 5 ;;
      hang) sleep 600 ;;
      die) kill -9 $$ ;;
      lie) echo DISK ;;
      lost) echo LOST ;;
      babble) echo "somewhere"; yes | head -c 1000000 ;;
      *) if [ ! -e "$(on_tape "$file")" ]; then echo DISK; elif on_disk "$file"; then echo DISK_AND_TAPE; else echo TAPE; fi ;;
    esac
  done
}

for file; do echo "$verb begin $file" >> "$tape/log"; done
case $verb in
  recall | migrate) "$verb" "$1" ;;
  release) release "$1" ;;
  status) status "$@" ;;
  *) echo "unknown: $verb" >&2; exit 64 ;;
esac
for file; do echo "$verb end $file" >> "$tape/log"; done
