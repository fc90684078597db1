# Sourced by the scripts beside it: PostgreSQL of Debian's postgresql package, in folders of its own.
#
# The clusters trust whoever reaches their loopback port. They hold nothing but accounts made up for
# a measurement, and are deleted after it.

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

# start_cluster FOLDER PORT: runs it in the background; its process id is in $!
start_cluster() {
  cd / || return 1
  "${as_database[@]}" "$(postgresql_programs)/postgres" -D "$1/data" -p "$2" </dev/null &
  cd "$OLDPWD" || return 1
}

# await_cluster PORT: waits until it answers
await_cluster() {
  local i
  for ((i = 0; i < 600; i++)); do
    "$(postgresql_programs)/pg_isready" -q -h 127.0.0.1 -p "$1" && return 0
    sleep 0.1
  done
  echo "PostgreSQL does not answer at port $1" >&2
  return 1
}

# sql PORT: carries out what comes on its input
sql() {
  psql -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$1" -U postgres -d postgres
}
