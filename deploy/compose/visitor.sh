# Sourced by try and try-doors, the visitors of the site of docker-compose.yml: how they speak, log in and call.
# What cannot be done ends them with one line, which begins with their name.
keys=/etc/staithe/keys ca=/etc/staithe/keys/ca.pem
authn=https://authn.localhost:8445 a=https://storage-a.localhost:8443

bold='' plain=''
[ -t 1 ] && bold=$(printf '\033[1m') plain=$(printf '\033[0m')
say() { printf '  %s\n' "$*"; }
step() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
fail() {
  printf '\n%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}
trap 'exit 130' INT
trap 'exit 143' TERM

# staithe PERSON ARGUMENT...: the command with a profile of its own for each; passwords by standard input
staithe() {
  local person=$1
  shift
  STAITHECLI_HOME=$work/$person /opt/staithe/staithe "$@"
}

# begin: a folder to work in, and a session each for the administrator and for demo, whose account is made once
begin() {
  work=$(mktemp -d /tmp/try.XXXXXX) && cd "$work" || fail "no folder can be made in /tmp of this container"
  step "1. Log in at $authn, at any of three nodes"
  staithe admin login --url "$authn" --trust "$ca" --user admin <$keys/admin-password || fail "the administrator's login failed"
  if ! staithe admin user show demo >/dev/null 2>&1; then
    staithe admin user add demo --display-name "Demo" --group /demo <$keys/demo-password || fail "no account could be made"
  fi
  staithe demo login --url "$authn" --trust "$ca" --user demo <$keys/demo-password || fail "the login of demo failed"
}

# token_for URL: demo's, for a storage element
token_for() { staithe demo token --audience "$1" --scope "storage.read:/ storage.modify:/"; }

# as TOKEN ARGUMENT...: curl, which reads the token from a descriptor: command lines can be read by others
as() {
  local token=$1
  shift
  curl -sS --cacert "$ca" -H @/dev/fd/3 "$@" 3<<<"Authorization: Bearer $token"
}

# pull URL TOKEN SOURCE TOKEN: has a storage element fetch a file from another one
pull() {
  curl -sS --cacert "$ca" -X COPY -K /dev/fd/3 -o copied "$1" 3<<END || fail "no answer from $1"
header = "Authorization: Bearer $2"
header = "Source: $3"
header = "TransferHeaderAuthorization: Bearer $4"
header = "RequireChecksumVerification: true"
END
  ended copied
}

# ended FILE: what a copy told in the end; its status of HTTP comes before it is over
ended() {
  local last
  last=$(tr -d '\r' <"$1" | grep -E '^(success|failure|aborted):' | tail -n 1)
  [[ $last == success:* ]] || fail "the copy ended with: ${last:-$(tail -n 1 "$1")}"
  say "$last"
}

digest() { openssl dgst -sha256 -r "$1" | cut -d' ' -f1; }
