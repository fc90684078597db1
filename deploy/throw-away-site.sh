#!/usr/bin/env bash
# Makes what two sites need to try each other out: an authority, host certificates and a token
# issuer. For demonstrations only: nothing guards the keys but the rights of their files.
#
#   deploy/throw-away-site.sh FOLDER HOST...      makes all of it; each HOST gets HOST.pem, HOST-key.pem
#
# Sourced (by ./demo) it gives the functions.

# make_authority FOLDER: ca.pem, ca-key.pem
make_authority() {
  (
    umask 077
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -sha256 -days 30 \
      -subj "/O=Staithe/CN=Throw-away authority" \
      -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign,cRLSign" \
      -keyout "$1/ca-key.pem" -out "$1/ca.pem" 2>"$1/openssl.log" || { cat "$1/openssl.log" >&2; exit 1; }
    chmod 644 "$1/ca.pem"
  )
}

# make_host FOLDER NAME: NAME.pem, NAME-key.pem, good for NAME, localhost and the loopback addresses
make_host() {
  (
    umask 077
    {
      openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -sha256 \
        -subj "/O=Staithe/CN=$2" -keyout "$1/$2-key.pem" -out "$1/$2.csr" &&
        openssl x509 -req -sha256 -days 30 -in "$1/$2.csr" -CA "$1/ca.pem" -CAkey "$1/ca-key.pem" \
          -set_serial "0x$(openssl rand -hex 16)" -out "$1/$2.pem" -extfile <(
            echo "basicConstraints=critical,CA:FALSE"
            echo "keyUsage=critical,digitalSignature"
            echo "extendedKeyUsage=serverAuth,clientAuth"
            echo "subjectAltName=DNS:$2,DNS:localhost,IP:127.0.0.1,IP:::1"
          )
    } 2>"$1/openssl.log" || { cat "$1/openssl.log" >&2; exit 1; }
    rm -f "$1/$2.csr"
    chmod 644 "$1/$2.pem"
  )
}

# make_person FOLDER NAME: NAME.pem, NAME-key.pem, RSA-2048 as people have it, to sign proxies with
make_person() {
  (
    umask 077
    {
      openssl req -new -newkey rsa:2048 -nodes -sha256 \
        -subj "/O=Staithe/CN=$2" -keyout "$1/$2-key.pem" -out "$1/$2.csr" &&
        openssl x509 -req -sha256 -days 30 -in "$1/$2.csr" -CA "$1/ca.pem" -CAkey "$1/ca-key.pem" \
          -set_serial "0x$(openssl rand -hex 16)" -out "$1/$2.pem" -extfile <(
            echo "basicConstraints=critical,CA:FALSE"
            echo "keyUsage=critical,digitalSignature,keyEncipherment"
            echo "extendedKeyUsage=clientAuth"
          )
    } 2>"$1/openssl.log" || { cat "$1/openssl.log" >&2; exit 1; }
    rm -f "$1/$2.csr"
    chmod 644 "$1/$2.pem"
  )
}

base64url() {
  openssl base64 -A | tr '+/' '-_' | tr -d '='
}

# make_issuer FOLDER: issuer-key.pem, issuer.jwks.json
make_issuer() {
  local modulus
  (umask 077 && openssl genrsa -out "$1/issuer-key.pem" 2048 2>"$1/openssl.log") || { cat "$1/openssl.log" >&2; return 1; }
  modulus=$(openssl rsa -in "$1/issuer-key.pem" -noout -modulus 2>/dev/null | sed 's/^Modulus=//; s/../\\x&/g')
  # shellcheck disable=SC2059 # the format is the bytes
  printf '{"keys":[{"kty":"RSA","alg":"RS256","use":"sig","kid":"throw-away","n":"%s","e":"AQAB"}]}\n' \
    "$(printf "$modulus" | base64url)" >"$1/issuer.jwks.json"
}

# mint_token FOLDER ISSUER AUDIENCE SCOPE [SECONDS]: prints a token of the WLCG profile
mint_token() {
  local now head body
  now=$(date +%s)
  head=$(printf '{"alg":"RS256","typ":"JWT","kid":"throw-away"}' | base64url)
  body=$(printf '{"iss":"%s","sub":"demo","aud":"%s","scope":"%s","wlcg.ver":"1.0","iat":%d,"nbf":%d,"exp":%d,"jti":"%s"}' \
    "$2" "$3" "$4" "$now" "$now" "$((now + ${5:-43200}))" "$(openssl rand -hex 16)" | base64url)
  printf '%s.%s.%s\n' "$head" "$body" \
    "$(printf '%s.%s' "$head" "$body" | openssl dgst -sha256 -sign "$1/issuer-key.pem" -binary | base64url)"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  set -euo pipefail
  if [ $# -lt 2 ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 64
  fi
  folder=$1
  shift
  mkdir -p "$folder"
  make_authority "$folder"
  make_issuer "$folder"
  for host in "$@"; do make_host "$folder" "$host"; done
  rm -f "$folder/openssl.log"
  echo "made in $folder: ca.pem, issuer.jwks.json, issuer-key.pem, and certificates for $*"
fi
