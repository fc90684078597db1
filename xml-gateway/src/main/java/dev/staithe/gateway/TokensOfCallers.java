package dev.staithe.gateway;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.gateway.backend.CallerTokens;
import dev.staithe.pki.Credential;
import dev.staithe.tls.Reloadable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECPublicKey;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What signs tokens of callers for services behind.
 *
 * @param tokens null where no service wants them
 * @param credential of the gateway for them; its files are read again when they change
 */
record TokensOfCallers(@Nullable CallerTokens tokens, @Nullable Reloadable<Credential> credential)
    implements AutoCloseable {
  static TokensOfCallers open(GatewayProperties properties, Clock clock) {
    CallerTokenProperties settings = properties.callerTokens();
    Path certificate = settings.certificate();
    Path key = settings.key();
    if (certificate == null || key == null) {
      return new TokensOfCallers(null, null);
    }
    Reloadable<Credential> credential =
        started(
            "staithe.caller-tokens.certificate",
            () -> {
              try {
                return new Reloadable<>(
                    "Certificate for tokens of callers " + certificate,
                    List.of(certificate, key),
                    properties.tls().checkInterval(),
                    clock,
                    () -> read(certificate, key));
              } catch (GeneralSecurityException e) {
                throw new IOException("cannot be used: " + e.getMessage(), e);
              }
            });
    return new TokensOfCallers(
        new CallerTokens(String.valueOf(properties.url()), credential::current, clock), credential);
  }

  private static Credential read(Path certificate, Path key) throws IOException {
    Credential read = Credential.read(certificate, key);
    if (read.certificate().getPublicKey() instanceof ECPublicKey curve
        && curve.getParams().getOrder().bitLength() != 256) {
      throw new IOException(certificate + " is of another curve than P-256");
    }
    return read;
  }

  @Override
  public void close() {
    if (credential != null) {
      credential.close();
    }
  }
}
