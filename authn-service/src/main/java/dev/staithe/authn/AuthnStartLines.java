package dev.staithe.authn;

import dev.staithe.authn.password.HashPool;
import dev.staithe.authn.password.PasswordHash;
import dev.staithe.service.Settings;
import dev.staithe.service.start.StartLines;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was started and, in the development default, how to try it. */
final class AuthnStartLines implements StartLines {
  private static final Logger log = LoggerFactory.getLogger(AuthnStartLines.class);

  private final AuthnProperties properties;
  private final PasswordHash passwords;
  private final HashPool pool;

  AuthnStartLines(AuthnProperties properties, PasswordHash passwords, HashPool pool) {
    this.properties = properties;
    this.passwords = passwords;
    this.pool = pool;
  }

  @Override
  public @Nullable URI url() {
    return properties.issuer();
  }

  @Override
  public void log(boolean development) {
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
  }

  @Override
  public String development(String folder, int port) {
    return """

          This is the development default: no configuration was given, so an authority, a host
          certificate, keys and an embedded database were made in
            %1$s
          It listens on this machine only and is gone once any staithe.* property is set.

          Try it, from the folder in which the server was started:
            java -jar staithe.jar login --url %2$s --trust %1$s/ca.pem --user admin
            java -jar staithe.jar whoami
            java -jar staithe.jar token --audience https://localhost:8443 --scope storage.read:/

          """
        .formatted(folder, properties.issuer());
  }
}
