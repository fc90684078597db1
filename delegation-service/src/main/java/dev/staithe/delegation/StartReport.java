package dev.staithe.delegation;

import dev.staithe.delegation.key.KeyPool;
import dev.staithe.service.Development;
import dev.staithe.tls.TlsProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;

/** Says what was started, where it listens and, in the development default, how to try it. */
final class StartReport implements ApplicationListener<ApplicationReadyEvent> {
  private static final Logger log = LoggerFactory.getLogger(StartReport.class);

  private final DelegationProperties properties;
  private final TlsProvider provider;
  private final KeyPool pool;
  private final Sealing sealing;

  StartReport(
      DelegationProperties properties, TlsProvider provider, KeyPool pool, Sealing sealing) {
    this.properties = properties;
    this.provider = provider;
    this.pool = pool;
    this.sealing = sealing;
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    var environment = event.getApplicationContext().getEnvironment();
    int port =
        event.getApplicationContext() instanceof WebServerApplicationContext web
                && web.getWebServer() != null
            ? web.getWebServer().getPort()
            : -1;
    log.info(
        "listening on {} port {} (TLS by {}) as {}",
        environment.getProperty("server.address", "every address"),
        port,
        provider,
        properties.url());
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
    String folder = environment.getProperty(Development.MARK);
    if (folder != null) {
      System.out.printf(
          """

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

          """,
          folder, properties.url());
    }
  }
}
