package dev.staithe.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CookiesTests {
  private static final URI IDP = URI.create("https://idp.example.org/realms/a/login");

  private final MutableClock clock = MutableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
  private final Cookies cookies = new Cookies(clock);

  private void take(String... lines) {
    cookies.take(IDP, List.of(lines));
  }

  private String header(String address) {
    return cookies.header(URI.create(address));
  }

  @Test
  void cookiesGoToTheirHostAndPathOnly() {
    take("one=1; Path=/", "two=2", "three=3; Path=/realms/a/");
    assertThat(header("https://idp.example.org/realms/a/x")).isEqualTo("three=3; two=2; one=1");
    assertThat(header("https://idp.example.org/realms/ab")).isEqualTo("one=1");
    assertThat(header("https://sso.example.org/realms/a/")).isEmpty();
    assertThat(header("https://idp.example.org.evil.com/realms/a/")).isEmpty();
    assertThat(header("https://evil.idp.example.org/")).isEmpty();
  }

  @Test
  void aCookieForADomainGoesBelowItButNobodySetsOneForOthers() {
    take(
        "ours=1; Domain=.example.org; Path=/",
        "foreign=1; Domain=evil.com; Path=/",
        "wide=1; Domain=org; Path=/");
    assertThat(header("https://sso.example.org/")).isEqualTo("ours=1");
    assertThat(header("https://evil.com/")).isEmpty();
    assertThat(header("https://other.org/")).isEmpty();
  }

  @Test
  void secureCookiesGoOverTlsOrToThisMachine() {
    take("s=1; Secure; Path=/");
    assertThat(header("http://idp.example.org/")).isEmpty();
    cookies.take(URI.create("http://localhost:8080/"), List.of("l=1; secure; HttpOnly"));
    assertThat(header("http://localhost:9090/")).isEqualTo("l=1");
  }

  @Test
  void cookiesEndWhenTheirServerSays() {
    take(
        "a=1; Max-Age=60; Path=/",
        "b=1; Expires=Tue, 01 Jan 2030 00:10:00 GMT; Path=/",
        "c=1; Expires=Tue, 01-Jan-2030 00:10:00 GMT; Path=/",
        "d=1; Max-Age=60; Expires=Tue, 01 Jan 2030 00:10:00 GMT; Path=/",
        "e=1; Expires=nonsense; Path=/");
    clock.advance(Duration.ofMinutes(2));
    assertThat(header("https://idp.example.org/")).isEqualTo("b=1; c=1; e=1");
    clock.advance(Duration.ofMinutes(10));
    assertThat(header("https://idp.example.org/")).isEqualTo("e=1");
    take("e=; Max-Age=0; Path=/");
    assertThat(header("https://idp.example.org/")).isEmpty();
  }

  @Test
  void nonsenseAndFloodsArePassedOver() {
    take("", "=x", "novalue", ";", "big=" + "x".repeat(10_000));
    assertThat(cookies.all()).isEmpty();
    for (int i = 0; i < 1000; i++) {
      take("c" + i + "=1");
    }
    assertThat(cookies.all()).hasSizeLessThanOrEqualTo(300);
  }

  @Test
  void cookiesAreKeptInAFileOfTheirOwnerAndNotInTexts(@TempDir Path folder) throws IOException {
    take("session=secret-value; Secure; Path=/", "late=1; Max-Age=60; Path=/");
    var profile = new Profile(folder.resolve("new/staithe"), Map.of());
    profile.write(cookies);
    Path file = folder.resolve("new/staithe/cookies.json");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
    assertThat(cookies.all().toString()).doesNotContain("secret-value");
    assertThat(profile.cookies(clock).all()).isEqualTo(cookies.all());
    Files.writeString(file, "{broken");
    assertThat(profile.cookies(clock).all()).isEmpty();
  }
}
