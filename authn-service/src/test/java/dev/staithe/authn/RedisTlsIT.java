package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.staithe.peers.RedisServer;
import dev.staithe.pki.KeyKind;
import dev.staithe.service.OneLineFailure;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose sessions are in a Redis that speaks TLS only, chosen by its settings alone. */
final class RedisTlsIT {
  @TempDir private Path folder;

  private ThrowAwayAuthority authority(String name) {
    return ThrowAwayAuthority.in(folder.resolve(name), Clock.systemUTC());
  }

  private static Map<String, Object> settings(RedisServer redis, Path trust) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("staithe.sessions.store", "redis");
    properties.put("staithe.sessions.persistence", "assured-write");
    properties.put("staithe.sessions.redis.host", "localhost");
    properties.put("staithe.sessions.redis.port", redis.port());
    properties.put("staithe.sessions.redis.password-file", redis.passwordFile());
    properties.put("staithe.sessions.redis.tls", true);
    properties.put("staithe.sessions.redis.trust", trust);
    return properties;
  }

  @Test
  void sessionsAreBegunReadEndedAndHeardOfOverTls() {
    ThrowAwayAuthority authority = authority("ca");
    try (RedisServer redis = RedisServer.startTls(authority.server());
        RedisServer replica = redis.replica()) {
      Map<String, Object> settings = settings(redis, authority.certificateFile());
      settings.put("staithe.state", folder.resolve("state"));
      try (var one = RunningAuthn.start(folder.resolve("one"), settings).user("ada")) {
        String token = one.login("ada");
        assertThat(one.rest().validate(token, "strict").body()).contains("\"valid\":true");
        assertThat(replica.command("DBSIZE")).as("the copy has it").isNotEqualTo("0");

        redis.kill();
        Eventually.holds(
            "it is noticed", () -> one.rest().validate(token, "strict").statusCode() == 503);
        redis.restart();
        Eventually.holds(
            "connected again",
            () -> one.rest().attempt("ada", RunningAuthn.PASSWORD).statusCode() == 200);

        String second = one.login("ada");
        assertThat(one.rest().logout(second).statusCode()).isEqualTo(200);
        assertThat(one.isGood(second)).isFalse();
      }
    }
  }

  @Test
  void toAServerOfAnotherAuthorityNoPasswordIsSent() {
    ThrowAwayAuthority authority = authority("ca");
    Path other = authority("other").certificateFile();
    try (RedisServer redis = RedisServer.startTls(authority.server())) {
      assertThat(refusal(settings(redis, other))).startsWith("staithe.sessions: ");
      assertThat(redis.command("CONFIG", "GET", "port")).as("it works").contains("port");
      assertThat(redis.command("INFO", "commandstats")).doesNotContain("cmdstat_hello");
    }
  }

  @Test
  void toAServerWithACertificateForAnotherNameNoPasswordIsSent() {
    ThrowAwayAuthority authority = authority("ca");
    try (RedisServer redis =
        RedisServer.startTls(authority.server(KeyKind.EC_P256, "redis.example.org", "127.0.0.1"))) {
      // Asked for as localhost, which the certificate does not have.
      assertThat(refusal(settings(redis, authority.certificateFile())))
          .startsWith("staithe.sessions: ");
      assertThat(redis.command("INFO", "commandstats")).doesNotContain("cmdstat_hello");
    }
  }

  @Test
  void serverThatSpeaksNoTlsIsNotSpokenToInClear() {
    Path trust = authority("ca").certificateFile();
    try (RedisServer redis = RedisServer.start()) {
      assertThat(refusal(settings(redis, trust))).startsWith("staithe.sessions: ");
    }
  }

  private String refusal(Map<String, Object> settings) {
    Throwable failure = catchThrowable(() -> RunningAuthn.start(folder.resolve("no"), settings));
    assertThat(failure).isNotNull();
    return String.valueOf(OneLineFailure.describe(failure));
  }
}
