package dev.staithe.delegation;

import dev.staithe.delegation.key.KeyPool;
import dev.staithe.service.start.StartLines;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was started and, in the development default, how to try it. */
final class DelegationStartLines implements StartLines {
  private static final Logger log = LoggerFactory.getLogger(DelegationStartLines.class);

  private final DelegationProperties properties;
  private final KeyPool pool;
  private final Sealing sealing;

  DelegationStartLines(DelegationProperties properties, KeyPool pool, Sealing sealing) {
    this.properties = properties;
    this.pool = pool;
    this.sealing = sealing;
  }

  @Override
  public @Nullable URI url() {
    return properties.url();
  }

  @Override
  public void log(boolean development) {
    log.info("keys of delegations are sealed with {}", sealing.description());
    if (pool.size() > 0) {
      log.info(
          "up to {} RSA keys are made ahead on {} thread(s), {}",
          pool.size(),
          properties.keys().pool().threads(),
          pool.priority().isLowered()
              ? "which give way to everything else"
              : "which compete with requests for the processor");
    }
    if (properties.delegations().acquirers().isEmpty()) {
      log.info("nobody acquires by a delegation whose owner names nobody");
    }
    if (properties.clientCertificates().legacyProxies()) {
      log.warn(
          "proxies from before RFC 3820 and SHA-1 are taken; these cannot say how far they go");
    }
  }

  @Override
  public String development(String folder, int port) {
    return """

          This is the development default: no configuration was given, so an authority, a host
          certificate, a person (user.pem), a service that may act for people (service.pem), a
          master key and an embedded database were made in
            %1$s
          It listens on this machine only and is gone once any staithe.* property is set.

          Try it, from the folder in which the server was started: Ada delegates, the service acts.
            as() { echo --url %2$s --trust %1$s/ca.pem --cert %1$s/$1.pem --key %1$s/$1-key.pem; }
            java -jar staithe.jar delegate put job $(as user)
            java -jar staithe.jar delegate acquire job $(as service) --out proxy.pem
            curl --cacert %1$s/ca.pem --cert proxy.pem %2$s/whoami

          """
        .formatted(folder, properties.url());
  }
}
