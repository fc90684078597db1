# Sourced by deploy/run-guides: what its guides presuppose. Nothing here is what a site should do.

pki=/run/guides/pki
started=()

# presupposed GUIDE...: pairs for missing_packages
presupposed() {
  local guide
  echo curl=curl openssl=openssl script=bsdutils ip=iproute2
  for guide in "$@"; do
    case $guide in
      storage | storm | xrootd | contracts) echo nginx=nginx-light ;;
      authn) echo '/usr/lib/postgresql/*/bin/postgres=postgresql' ;;
      nodes) echo haproxy=haproxy '/usr/lib/postgresql/*/bin/postgres=postgresql' ;;
      ceph) echo nginx=nginx-light ceph-mon=ceph-mon ceph-osd=ceph-osd ceph-mgr=ceph-mgr ceph-mds=ceph-mds radosgw=radosgw ceph=ceph-common \
        ceph-fuse=ceph-fuse uuidgen=uuid-runtime rclone=rclone jq=jq ;;
      slcs) echo nginx=nginx-light /usr/share/simplesamlphp/www/module.php=simplesamlphp php=php-cli \
        '/usr/lib/php/*/dom.so=php-xml' '/usr/lib/php/*/mbstring.so=php-mbstring' ;;
    esac
  done
}

# answer WORD: the password that is typed for it
answer() {
  case $1 in
    admin) sed -n 's/.*Administrator: admin, password: \([^ ]*\).*/\1/p' /run/guides/staithe-authn.log ;;
    none) echo ;;
    *) echo "password-of-$1" ;;
  esac
}

# Once: an authority that this machine believes, a Java where the guides have it, names of hosts.
ready_machine() {
  local trusted=/etc/ssl/certs/ca-certificates.crt
  mkdir -p "$pki" /usr/lib/jvm/java-25/bin
  make_authority "$pki" || return 1
  cat "$pki/ca.pem" >>"$trusted"
  # As Debian's Java: it believes whom the machine believes. Of a JKS the certificates can be read without its password.
  rm -f "$pki/cacerts" && keytool -importcert -noprompt -alias ours -file "$pki/ca.pem" -storetype JKS -keystore "$pki/cacerts" -storepass changeit 2>/dev/null || return 1
  # And it is over before the second compiler pays: what the guides say is shown here, not how fast.
  printf '#!/bin/sh\nexec %s/bin/java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djavax.net.ssl.trustStore=%s/cacerts "$@"\n' "$JAVA_HOME" "$pki" >/usr/lib/jvm/java-25/bin/java
  chmod 755 "$pki" /usr/lib/jvm/java-25/bin/java
  ln -sf /usr/lib/jvm/java-25/bin/java /usr/local/bin/java
  ln -sf "$PWD/deploy/guides/systemctl" /usr/local/bin/systemctl
  ln -sf "$PWD/deploy/guides/systemctl" /usr/local/bin/journalctl
  mkdir -p /etc/systemd/system
  id ada >/dev/null 2>&1 || useradd --create-home --shell /bin/bash ada
}

# Before each guide: it begins where nobody has followed one.
nothing_of_ours() {
  printf '127.0.0.1 localhost storage.example.org issuer.example.org authn.example.org slcs.example.org idp.example.edu delegation.example.org gateway.example.org\n192.0.2.10 a.example.org rgw.example.org\n192.0.2.11 b.example.org\n127.0.0.11 authn-1\n127.0.0.12 authn-2\n127.0.0.13 authn-3\n' >/etc/hosts
  id staithe >/dev/null 2>&1 && userdel staithe 2>/dev/null
  rm -rf /etc/storm /etc/xrootd /etc/staithe /opt/staithe /var/lib/staithe /srv/storage /etc/grid-security /home/ada/.config /root/.config \
    /usr/local/bin/staithe /usr/local/share/man/man1/staithe.1 /usr/local/share/bash-completion/completions/staithe \
    /etc/systemd/system/staithe-*.service /usr/local/etc/haproxy /run/guides/*.log /run/guides/*.pid /tmp/x509up_u*
  unset JAVA_TOOL_OPTIONS
}

# host NAME: its certificate, where the guides find it
host() {
  make_host "$pki" "$1" && cp "$pki/$1.pem" ~/host.pem && cp "$pki/$1-key.pem" ~/host-key.pem
}

stop_all() {
  rm -f run7.root copy-of-run7.root slcs.xml authn.pem authn-key.pem
  # shellcheck disable=SC2046 # a list of numbers
  stop $(cat /run/guides/*.pid /run/guides/b/run/*.pid /run/haproxy.pid 2>/dev/null)
  # While those are there who answer it.
  ! mountpoint -q /srv/storage || umount /srv/storage
  ! [ -d /run/guides/b ] || at_b umount /srv/storage 2>/dev/null
  # They end by themselves, but not without the Ceph that is stopped next.
  wait_for bash -c '! pgrep -x ceph-fuse >/dev/null' || say "ceph-fuse did not end"
  stop "${started[@]}"
  rm -rf /run/guides/b /run/guides/b.id
}

# stop PROCESS...: and waits until they have ended
stop() {
  local pid
  for pid in "$@"; do kill "$pid" 2>/dev/null; done
  for pid in "$@"; do
    for _ in $(seq 1 600); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -KILL "$pid" 2>/dev/null
  done
}

# wait_for COMMAND...: until it succeeds
wait_for() {
  local _
  for _ in $(seq 1 1200); do "$@" >/dev/null 2>&1 && return 0; sleep 0.1; done
  return 1
}

# front HOST LINES: nginx that ends TLS for it
front() {
  make_host "$pki" "$1" || return 1
  cat >/run/guides/nginx.conf <<CONF
daemon off; pid /run/guides/nginx; error_log /run/guides/nginx.log;
events {}
http {
  access_log off;
  server {
    listen 443 ssl;
    server_name $1;
    ssl_certificate $pki/$1.pem;
    ssl_certificate_key $pki/$1-key.pem;
    $2
  }
}
CONF
  nginx -c /run/guides/nginx.conf </dev/null >/run/guides/nginx.log 2>&1 &
  started+=($!)
  wait_for curl -s -o /dev/null "https://$1/"
}

presuppose_storage() {
  host storage.example.org
  local site=/run/guides/issuer
  mkdir -p "$site/vo/.well-known" && make_issuer "$pki" && cp "$pki/issuer.jwks.json" "$site/vo/jwks" || return 1
  echo '{"issuer": "https://issuer.example.org/vo", "jwks_uri": "https://issuer.example.org/vo/jwks"}' >"$site/vo/.well-known/openid-configuration"
  chmod -R a+rX "$site"
  front issuer.example.org "root $site; default_type application/json;"
  believe && person "/DC=org/DC=example/CN=Ada Lovelace" ada-lovelace && given ada-lovelace usercert.pem userkey.pem || return 1
  install -D -t /opt/staithe cli/staithe cli/target/staithe.jar && ln -sf /opt/staithe/staithe /usr/local/bin/ || return 1
  TOKEN=$(mint_token "$pki" https://issuer.example.org/vo https://storage.example.org:8443 "storage.read:/run7 storage.create:/run7")
  export TOKEN
}

# What StoRM WebDAV has served until now.
presuppose_storm() {
  presuppose_storage || return 1
  mkdir -p /etc/storm/webdav/sa.d /etc/storm/webdav/config /srv/storage/data/run7 /srv/storage/data/run8 &&
    echo seven >/srv/storage/data/run7/notes && echo old >/srv/storage/data/run8/notes
}

# What XRootD has served until now.
presuppose_xrootd() {
  presuppose_storage || return 1
  mkdir -p /etc/xrootd /srv/storage/data/run7 /srv/storage/data/run8 &&
    echo seven >/srv/storage/data/run7/notes && echo old >/srv/storage/data/run8/notes
}

# person SUBJECT NAME: a certificate with an RSA key, of an authority that /etc/grid-security/certificates is to hold
person() {
  (
    umask 077
    openssl req -new -newkey rsa:2048 -nodes -sha256 -subj "$1" -keyout "$pki/$2-key.pem" -out "$pki/$2.csr" &&
      openssl x509 -req -sha256 -days 30 -in "$pki/$2.csr" -CA "$pki/ca.pem" -CAkey "$pki/ca-key.pem" \
        -set_serial "0x$(openssl rand -hex 16)" -out "$pki/$2.pem" -extfile <(
          echo "basicConstraints=critical,CA:FALSE"
          echo "keyUsage=critical,digitalSignature,keyEncipherment"
          echo "extendedKeyUsage=clientAuth,serverAuth"
        )
  ) 2>"$pki/openssl.log"
}

# believe: the folder of trust anchors that IGTF's packages bring
believe() {
  install -d /etc/grid-security/certificates /etc/grid-security/vomsdir
  cp "$pki/ca.pem" "/etc/grid-security/certificates/$(openssl x509 -in "$pki/ca.pem" -noout -hash).0"
}

# given NAME FILE KEYFILE: ada has these in her home
given() {
  install -o ada "$pki/$1.pem" "/home/ada/$2" && install -o ada -m 600 "$pki/$1-key.pem" "/home/ada/$3"
}

# PostgreSQL of Debian, which nothing starts here.
database() {
  local version
  version=$(pg_lsclusters -h | awk '{ print $1; exit }')
  # A run before this one may have left what the guide makes.
  pg_ctlcluster "$version" main start </dev/null >/run/guides/postgresql.log 2>&1
  started+=("$(head -n 1 "/var/lib/postgresql/$version/main/postmaster.pid")")
  wait_for runuser -u postgres -- psql -qc 'SELECT 1' &&
    runuser -u postgres -- psql -q -c 'DROP DATABASE IF EXISTS staithe' -c 'DROP ROLE IF EXISTS staithe' 2>>/run/guides/postgresql.log
}

presuppose_authn() { host authn.example.org && database; }

# Three nodes on one database, each a host of its own by its address, which know their balancer. They share a log, in
# which one of them says the first password.
presuppose_nodes() {
  local number site=/run/guides/nodes
  database && make_host "$pki" authn && cp "$pki/authn.pem" "$pki/authn-key.pem" . || return 1
  rm -rf "$site" && mkdir "$site" && (umask 077 && openssl rand -hex 24 >"$site/password") &&
    printf "CREATE ROLE staithe LOGIN PASSWORD '%s';\nCREATE DATABASE staithe OWNER staithe;\n" "$(cat "$site/password")" |
    runuser -u postgres -- psql -q 2>>/run/guides/postgresql.log || return 1
  for number in 1 2 3; do
    mkdir "$site/$number"
    cat >"$site/$number/authn.yml" <<CONF
server:
  address: $(awk -v host="authn-$number" '$2 == host { print $1 }' /etc/hosts)
staithe:
  issuer: https://localhost:8445
  tls:
    enabled: false
  proxy:
    trusted: [127.0.0.0/8]
  database:
    url: jdbc:postgresql://localhost/staithe
    password-file: $site/password
CONF
    (cd "$site/$number" && exec java -jar "$OLDPWD/authn-service/target/authn-service.jar" \
      --spring.config.additional-location=file:authn.yml) </dev/null >>/run/guides/staithe-authn.log 2>&1 &
    started+=($!)
  done
  # The guide stops the last of them, on what is that machine.
  echo $! >/run/guides/staithe-authn.pid && cp deploy/systemd/staithe-authn.service /etc/systemd/system/ || return 1
  for number in 1 2 3; do wait_for curl -sf "http://authn-$number:8444/.staithe/health/readiness" || return 1; done
}

# SimpleSAMLphp behind the name of a campus, which believes the metadata that the guide fetches.
presuppose_slcs() {
  local campus=/run/guides/campus
  host slcs.example.org || return 1
  rm -rf "$campus" && mkdir -m 700 "$campus" && printf '1\npassword-of-ada\n' >"$campus/accounts"
  perf/peers/simplesamlphp run "$campus" 8480 </dev/null >/run/guides/campus.log 2>&1 &
  started+=($!)
  wait_for test -f "$campus/ready" || return 1
  sed -i 's|^{|{"url":"https://idp.example.edu/",|; s/example\.org/example.edu/g' "$campus/provider.json"
  # Metadata is there when the guide has fetched it, from the next request on.
  ln -s "$PWD/slcs.xml" "$campus/sp/slcs.xml"
  rm -f slcs.xml
  front idp.example.edu "
    location = /idp/shibboleth { proxy_pass http://127.0.0.1:8480/saml2/idp/metadata.php; proxy_set_header Host idp.example.edu; }
    location / { proxy_pass http://127.0.0.1:8480; proxy_set_header Host idp.example.edu; proxy_set_header X-Forwarded-Proto https; }"
}

presuppose_delegation() {
  host delegation.example.org && believe || return 1
  person "/DC=org/DC=example/CN=Ada Lovelace" ada-lovelace || return 1
  # Where `staithe cert` puts it.
  install -d -o ada -m 700 /home/ada/.config /home/ada/.config/staithe &&
    cat "$pki/ada-lovelace.pem" "$pki/ada-lovelace-key.pem" | install -o ada -m 600 /dev/stdin /home/ada/.config/staithe/cert.pem || return 1
  person /DC=org/CN=transfer.example.org transfer && given transfer transfer.pem transfer-key.pem
}

# A plain SOAP service, and a certificate for messages beside the host's.
presuppose_gateway() {
  host gateway.example.org && believe || return 1
  person "/DC=org/DC=example/CN=Ada Lovelace" ada-lovelace && given ada-lovelace usercert.pem userkey.pem || return 1
  person /DC=org/DC=example/CN=gateway.example.org message &&
    cp "$pki/message.pem" "$pki/message-key.pem" ~ && install -m 644 "$pki/message.pem" /home/ada/message.pem || return 1
  java -jar samples/echo-service/target/echo-service.jar --server.address=127.0.0.1 --server.port=8080 --staithe.tls.enabled=false \
    --staithe.echo.name=jobs </dev/null >/run/guides/jobs.log 2>&1 &
  started+=($!)
  wait_for curl -sf http://127.0.0.1:8080/services/echo.wsdl
}

# Two storage elements, each at an address of its own, and a token for each.
presuppose_copy() {
  local name port authority site=/run/guides/copy
  mkdir -p "$site"
  make_issuer "$pki" || return 1
  # An element that was asked to copy from its own port of any address here would take it for itself.
  for authority in a.example.org:8443 b.example.org; do
    name=${authority%%.*} port=443
    [[ $authority != *:* ]] || port=${authority##*:}
    rm -rf "${site:?}/$name" && mkdir "$site/$name" && make_host "$pki" "$name.example.org" || return 1
    cat >"$site/$name.yml" <<CONF
server:
  address: $(awk -v host="$name.example.org" '$2 == host { print $1 }' /etc/hosts)
  port: $port
staithe:
  hosts: ["$name.example.org:$port"]
  trust: $pki/ca.pem
  tls:
    certificate: $pki/$name.example.org.pem
    key: $pki/$name.example.org-key.pem
  issuers:
    - issuer: https://issuer.example.org/vo
      audiences: ["https://$authority"]
      jwks-file: $pki/issuer.jwks.json
  areas:
    - name: data
      root: $site/$name
      grants:
        - issuer: https://issuer.example.org/vo
  copy:
    allowed-networks: [192.0.2.0/24]
    marker-period: 100ms
    early-answer: 0s
CONF
    java -jar storage-webdav/target/storage-webdav.jar "--spring.config.additional-location=file:$site/$name.yml" \
      </dev/null >"/run/guides/$name.log" 2>&1 &
    started+=($!)
  done
  for authority in a.example.org:8443 b.example.org; do wait_for curl -sf "https://$authority/.staithe/health" || return 1; done
  A=$(mint_token "$pki" https://issuer.example.org/vo https://a.example.org:8443 "storage.read:/ storage.modify:/")
  B=$(mint_token "$pki" https://issuer.example.org/vo https://b.example.org "storage.read:/ storage.modify:/")
  export A B
  head -c 200M /dev/urandom >run7.root
}

# Another machine, b, at 192.0.2.11: what a guide writes there is not seen here, and the other way round.
second_machine() {
  local home=/run/guides/b
  install -d /etc/ceph /run/ceph /srv/storage /var/lib/staithe
  rm -rf "$home" && mkdir -p "$home"/{opt,storage,state,ceph,run/home,run/pki} && cp -a /etc "$home/etc" || return 1
  # This machine's own names are another's there.
  sed -i 's/^127\.0\.0\.1 localhost /127.0.0.1 localhost\n192.0.2.10 /' "$home/etc/hosts"
  ip address del 192.0.2.11/32 dev lo
  unshare --mount --net bash -c "
    mount --bind $pki $home/run/pki && mount --bind /etc/ceph $home/etc/ceph && mount --rbind $home/etc /etc &&
      mount --bind $home/opt /opt && mount --bind $home/storage /srv/storage && mount --bind $home/state /var/lib/staithe &&
      mount --bind $home/ceph /run/ceph && mount --rbind $home/run /run/guides && : >/run/guides/is-b && exec sleep infinity" </dev/null >/run/guides/b.log 2>&1 &
  started+=($!)
  echo $! >"$home.id" && wait_for test -f "$home/run/is-b" || return 1
  ip link add to-b type veth peer name to-a netns "$(cat "$home.id")" && ip link set to-b up && ip route add 192.0.2.11/32 dev to-b src 192.0.2.10 &&
    at_b ip link set lo up && at_b ip address add 192.0.2.11/32 dev to-a && at_b ip link set to-a up && at_b ip route add 192.0.2.10/32 dev to-a
}

# at_b COMMAND...: on the other machine
at_b() {
  HOME=/run/guides/home nsenter --target "$(cat /run/guides/b.id)" --mount --net --wd="$PWD" -- "$@"
}

# element: on a machine, a storage element as the README has it, but for its configuration
element() {
  useradd --system --home-dir /var/lib/staithe --shell /usr/sbin/nologin staithe &&
    install -D -m 644 storage-webdav/target/storage-webdav.jar /opt/staithe/storage-webdav.jar &&
    install -d -o staithe -g staithe /srv/storage/data && install -d -m 750 -g staithe /etc/staithe &&
    install -m 644 ~/host.pem /etc/staithe/host.pem && install -m 600 -o staithe ~/host-key.pem /etc/staithe/host-key.pem &&
    cp deploy/systemd/staithe-storage.service /etc/systemd/system/
}

# Where the data are, p.example.org, and where they go, which is another machine.
presuppose_contracts() {
  local b=/run/guides/b/run/home scopes="storage.read:/ storage.modify:/"
  sed -i 's/^192.0.2.10 a/192.0.2.10 p/; s/^192.0.2.11 b/192.0.2.11 a/' /etc/hosts
  presuppose_storage && host p.example.org && make_host "$pki" a.example.org && second_machine || return 1
  cp "$pki/a.example.org.pem" $b/host.pem && cp "$pki/a.example.org-key.pem" $b/host-key.pem || return 1
  element && at_b bash -c "$(declare -f element); element" || return 1
  P=$(mint_token "$pki" https://issuer.example.org/vo https://p.example.org:8443 "$scopes")
  A=$(mint_token "$pki" https://issuer.example.org/vo https://a.example.org:8443 "$scopes")
  export P A
}

# A Ceph whose administrator is here, and two machines with certificates of their own.
presuppose_ceph() {
  local ceph=/run/guides/cluster
  presuppose_storage && host a.example.org || return 1
  make_host "$pki" b.example.org || return 1
  # The containers of fresh roots lack it.
  [ -e /dev/fuse ] || mknod -m 666 /dev/fuse c 10 229 || return 1
  rm -rf "$ceph" /etc/ceph && mkdir "$ceph" && second_machine || return 1
  cp "$pki/b.example.org.pem" /run/guides/b/run/home/host.pem && cp "$pki/b.example.org-key.pem" /run/guides/b/run/home/host-key.pem || return 1
  CEPH_ADDRESS=192.0.2.10 perf/peers/ceph run "$ceph" 7480 3300 6789 mds </dev/null >/run/guides/ceph.log 2>&1 &
  started+=($!)
  wait_for test -f "$ceph/ready" || wait_for test -f "$ceph/ready" || return 1
  (umask 077 && cp "$ceph/keyring" /etc/ceph/ceph.client.admin.keyring) &&
    CEPH_CONF=$ceph/ceph.conf ceph config generate-minimal-conf >/etc/ceph/ceph.conf || return 1
  TOKEN=$(mint_token "$pki" https://issuer.example.org/vo https://storage.example.org:8443 "storage.read:/ storage.modify:/")
  export TOKEN
  head -c 200M /dev/urandom >run7.root
}
