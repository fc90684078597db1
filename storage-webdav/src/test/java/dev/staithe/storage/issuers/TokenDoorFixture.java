package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;

/** A door of two issuers whose keys are known, so that nothing goes over the network. */
abstract class TokenDoorFixture {
  static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  static final MutableClock CLOCK = MutableClock.at(START);
  static final TokenIssuer A = TokenIssuer.overHttp(CLOCK);
  static final TokenIssuer B = TokenIssuer.overHttp(CLOCK);
  static final String AUDIENCE = "https://localhost";

  final MutableClock clock = MutableClock.at(START);

  final TokenDoor door = door(Map.of(A.issuer(), A.keySet(), B.issuer(), B.keySet()));

  static {
    // Several classes of tests use them.
    Runtime.getRuntime().addShutdownHook(new Thread(A::close));
    Runtime.getRuntime().addShutdownHook(new Thread(B::close));
  }

  static TrustedIssuer trusted(String issuer) {
    return new TrustedIssuer(issuer, Set.of(AUDIENCE), true, false, null, true);
  }

  /** A door to issuers whose keys are known, so that nothing goes over the network. */
  TokenDoor door(Map<String, String> keySets) {
    return door(keySets, keySets.keySet().stream().map(TokenDoorFixture::trusted).toList());
  }

  TokenDoor door(Map<String, String> keySets, List<TrustedIssuer> issuers) {
    try {
      return new TokenDoor(
          issuers,
          new IssuerKeys(
              issuers,
              files(keySets),
              Duration.ZERO,
              SSLContext.getDefault(),
              KeyPolicy.DEFAULT,
              clock),
          clock);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** These key sets (JSON, by issuer) as files that end with the test process. */
  static Map<String, Path> files(Map<String, String> keySets) {
    Map<String, Path> files = new HashMap<>();
    keySets.forEach(
        (issuer, keySet) -> {
          try {
            Path file = Files.createTempFile("keys", ".json");
            file.toFile().deleteOnExit();
            files.put(issuer, Files.writeString(file, keySet));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return files;
  }

  Identification show(String token) {
    return door.identify(List.of("Bearer " + token));
  }

  static TokenCaller caller(Identification identification) {
    if (identification instanceof Identification.Identified(TokenCaller caller)) {
      return caller;
    }
    throw new AssertionError(identification.toString());
  }

  static String rejection(Identification identification) {
    if (identification instanceof Identification.Refused(String reason)) {
      return reason;
    }
    throw new AssertionError(identification.toString());
  }

  String rejection(String token) {
    String reason = rejection(show(token));
    assertThat(reason).doesNotContain("\n", "\r", "\"", "\\").hasSizeLessThan(500);
    for (String part : token.split("\\.")) {
      if (part.length() > 20) {
        assertThat(reason).doesNotContain(part);
      }
    }
    return reason;
  }
}
