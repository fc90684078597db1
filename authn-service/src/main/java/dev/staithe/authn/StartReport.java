package dev.staithe.authn;

import dev.staithe.authn.login.HashPool;
import dev.staithe.authn.login.PasswordHash;
import dev.staithe.service.Development;
import dev.staithe.service.Settings;
import dev.staithe.tls.TlsProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;

/** Says what was started, where it listens and, in the development default, how to try it. */
final class StartReport implements ApplicationListener<ApplicationReadyEvent> {
  private static final Logger log = LoggerFactory.getLogger(StartReport.class);

  private final AuthnProperties properties;
  private final TlsProvider provider;
  private final PasswordHash passwords;
  private final HashPool pool;

  StartReport(
      AuthnProperties properties, TlsProvider provider, PasswordHash passwords, HashPool pool) {
    this.properties = properties;
    this.provider = provider;
    this.passwords = passwords;
    this.pool = pool;
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
        "listening on {} port {} ({}) as {}",
        environment.getProperty("server.address", "every address"),
        port,
        properties.tls().enabled() ? "TLS by " + provider : "plain HTTP",
        properties.issuer());
    log.info(
        "sessions in {}, {}; idle {}, at most {}",
        properties.sessions().store().name().toLowerCase(java.util.Locale.ROOT),
        properties
            .sessions()
            .persistence()
            .name()
            .toLowerCase(java.util.Locale.ROOT)
            .replace('_', '-'),
        Settings.text(properties.sessions().idle()),
        Settings.text(properties.sessions().absolute()));
    log.info(
        "passwords by {} argon2id on {} thread(s), {}",
        passwords.isNative() ? "native" : "Java's",
        pool.threads(),
        pool.priority().isLowered()
            ? "which give way to everything else"
            : "which compete with validations for the processor");
    int sealing = properties.tokens().sealingKeys().size();
    log.info(
        "keys in the store are {}",
        sealing == 0
            ? "in clear: staithe.tokens.sealing-keys names no file"
            : "sealed with AES-256-GCM; " + sealing + (sealing == 1 ? " key opens" : " keys open"));
    String folder = environment.getProperty(Development.MARK);
    if (folder != null) {
      System.out.printf(
          """

          This is the development default: no configuration was given, so an authority, a host
          certificate, keys and an embedded database were made in
            %1$s
          It listens on this machine only and is gone once any staithe.* property is set.

          Try it, from the folder in which the server was started:
            java -jar staithe.jar login --url %2$s --trust %1$s/ca.pem --user admin
            java -jar staithe.jar whoami
            java -jar staithe.jar token --audience https://localhost:8443 --scope storage.read:/

          """,
          folder, properties.issuer());
    }
  }
}
