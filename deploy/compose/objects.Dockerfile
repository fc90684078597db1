# The object store of docker-compose.yml: the Versity gateway, by deploy/versitygw from its source, which takes minutes
# once. A file of its own: engines without BuildKit build all of deploy/Dockerfile for any image of it.
FROM debian:12-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates golang-go \
 && rm -rf /var/lib/apt/lists/*
COPY deploy/versitygw /build/deploy/versitygw
RUN program=$(XDG_CACHE_HOME=/build /build/deploy/versitygw) && mv "$program" /versitygw

FROM debian:12-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates curl \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 7070 staithe \
 && useradd --uid 7070 --gid staithe --home-dir /var/lib/staithe --create-home --shell /usr/sbin/nologin staithe \
 && install -d -o staithe -g staithe -m 700 /etc/staithe /etc/staithe/keys /var/lib/staithe/data
COPY --from=build /versitygw /usr/local/bin/versitygw
COPY deploy/compose/objects /usr/local/bin/objects
USER staithe
ENTRYPOINT ["objects"]
