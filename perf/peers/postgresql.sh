# Sourced by the scripts beside it: PostgreSQL of Debian's postgresql package, in folders of its own.
#
# The clusters trust whoever reaches their loopback port. They hold nothing but accounts made up for
# a measurement, and are deleted after it.

. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/ready.sh"

needs_postgresql() { needs '/usr/lib/postgresql/*/bin/initdb=postgresql' setpriv=util-linux; }

# Prints the folder of PostgreSQL's programs, the newest.
postgresql_programs() {
  local programs
  programs=$(compgen -G '/usr/lib/postgresql/*/bin/initdb' | sort -V | tail -n 1)
  [ -n "$programs" ] && dirname "$programs"
}

# PostgreSQL refuses to run as root.
as_database=()
if [ "$(id -u)" = 0 ]; then as_database=(setpriv --reuid nobody --regid nogroup --clear-groups --); fi

# own_folder FOLDER: makes one that the database's user owns
own_folder() {
  mkdir -p "$1" && chmod 700 "$1"
  if [ "$(id -u)" = 0 ]; then chown nobody:nogroup "$1"; fi
}

# make_cluster FOLDER LOG: an empty cluster with the superuser postgres
make_cluster() {
  own_folder "$1"
  "${as_database[@]}" "$(postgresql_programs)/initdb" -D "$1/data" -U postgres -A trust -E UTF8 --locale=C \
    --no-instructions >"$2" 2>&1 || { tail -n 3 "$2" >&2; return 1; }
  # Durable as it comes: what is promised of a session costs what it costs.
  "${as_database[@]}" tee -a "$1/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = '$1'
max_connections = 300
shared_buffers = 128MB
max_wal_size = 4GB
wal_level = replica
hot_standby = on
max_wal_senders = 10
log_min_messages = warning
CONF
}

# start_cluster FOLDER PORT: runs it in the background, its log in FOLDER/log; its process id is in $!
start_cluster() {
  cd / || return 1
  "${as_database[@]}" "$(postgresql_programs)/postgres" -D "$1/data" -p "$2" </dev/null >>"$1/log" 2>&1 &
  cd "$OLDPWD" || return 1
}

# await_cluster FOLDER PROCESS PORT: waits until it answers a query; fails, saying why, where it ends
await_cluster() {
  await 120 "$2" answers_query "$3" && return
  echo "PostgreSQL does not answer at port $3: $(grep -hm 1 -E 'FATAL|PANIC' "$1/log" || printf '%s' "$answer" | tail -n 1)" >&2
  return 1
}

answer=
answers_query() {
  answer=$(PGCONNECT_TIMEOUT=10 sql "$1" -A -t -c 'SELECT 1' 2>&1) && [ "$answer" = 1 ]
}

# sql PORT [OPTION...]: carries out what comes on its input
sql() {
  local port=$1
  shift
  "$(postgresql_programs)/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U postgres -d postgres "$@"
}
