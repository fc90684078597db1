package dev.staithe.authn.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strangers who guess passwords, and users who log in all the same. Behind a load balancer. */
final class GuessingTests {
  private static final String HOME = "192.0.2.44";
  private static final String STRANGER = "198.51.100.4";

  @TempDir private static Path folder;
  private static final MutableClock CLOCK = MutableClock.at(Instant.parse("2026-11-21T10:00:00Z"));
  private static RunningAuthn authn;

  @BeforeAll
  static void start() throws IOException {
    Path password = Files.writeString(folder.resolve("password"), RunningAuthn.PASSWORD);
    authn =
        RunningAuthn.start(
            folder,
            Map.of(
                "staithe.proxy.trusted",
                "127.0.0.0/8,::1/128",
                "staithe.administration.first-password-file",
                password),
            CLOCK);
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  private static int login(String name, String password, String from) {
    return authn
        .send(
            HttpRequest.newBuilder(authn.url().resolve("json/authenticate"))
                .header("X-Forwarded-For", from)
                .header("X-OpenAM-Username", name)
                .header("X-OpenAM-Password", password)
                .POST(HttpRequest.BodyPublishers.noBody()))
        .statusCode();
  }

  @Test
  void strangerWhoGuessesForHoursKeepsTheAdministratorOutNowhereElse() {
    assertThat(login("admin", RunningAuthn.PASSWORD, HOME)).isEqualTo(200);
    int guesses = 0;
    for (int i = 0; i < 200; i++) {
      int status = login("admin", "guess " + i, STRANGER);
      assertThat(status).isIn(401, 429);
      guesses += status == 401 ? 1 : 0;
      CLOCK.advance(Duration.ofMinutes(2));
    }
    assertThat(guesses).as("in seven hours").isBetween(5, 40);
    assertThat(login("admin", "guess", STRANGER)).isIn(401, 429);
    assertThat(login("admin", RunningAuthn.PASSWORD, STRANGER))
        .as("the right password too, or guesses would go on")
        .isEqualTo(429);
    assertThat(login("admin", RunningAuthn.PASSWORD, HOME)).isEqualTo(200);
    assertThat(login("admin", RunningAuthn.PASSWORD, "203.0.113.9")).isEqualTo(200);
  }

  @Test
  void whoHasManyAddressesTriesAHundredPasswordsAndTheOwnerIsLetInAtHomeAtOnce() {
    authn.user("owner");
    assertThat(login("owner", RunningAuthn.PASSWORD, HOME)).isEqualTo(200);
    int looked = 0;
    for (int i = 0; i < 720; i++) {
      looked += login("owner", "guess " + i, "10.9." + i / 200 + "." + i % 200) == 401 ? 1 : 0;
      CLOCK.advance(Duration.ofSeconds(5));
    }
    assertThat(looked).as("in an hour").isBetween(100, 108);
    assertThat(login("owner", "guess", "10.10.0.1")).isEqualTo(429);
    assertThat(login("owner", RunningAuthn.PASSWORD, HOME)).isEqualTo(200);
  }
}
