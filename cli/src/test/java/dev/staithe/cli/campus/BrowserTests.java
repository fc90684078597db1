package dev.staithe.cli.campus;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.cli.StalledHost;
import dev.staithe.cli.program.Cookies;
import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrowserTests {
  private final MutableClock clock = MutableClock.at(Instant.parse("2030-01-01T00:00:00Z"));

  @Test
  void pageThatBeginsAndDoesNotEndIsGivenUp() throws IOException {
    try (var host = new StalledHost();
        var browser =
            new Browser(host.url("/"), "", new Cookies(clock), clock, Duration.ofMillis(200))) {
      assertThatThrownBy(() -> browser.get(host.url("/"), Map.of()))
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith("it gave no answer in time");
    }
  }
}
