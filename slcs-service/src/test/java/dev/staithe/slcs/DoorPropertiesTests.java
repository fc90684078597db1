package dev.staithe.slcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.service.Settings;
import dev.staithe.slcs.issue.AccessRule;
import dev.staithe.slcs.issue.IssueSettings;
import dev.staithe.slcs.protect.ProtectedService;
import dev.staithe.slcs.protect.Protection;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/**
 * Settings of issuing, of protected services and of authn-service: defaults and what is refused.
 */
final class DoorPropertiesTests {
  private static final URI URL = URI.create("https://slcs.example.org");

  private static <T> T bound(Class<T> type, String... keysAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put("x." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return new Binder(new MapConfigurationPropertySource(values))
        .bindOrCreate("x", Bindable.of(type));
  }

  private static void refused(Class<?> type, String... keysAndValues) {
    assertThatThrownBy(() -> bound(type, keysAndValues))
        .isInstanceOf(BindException.class)
        .rootCause()
        .isInstanceOf(Settings.InvalidSetting.class);
  }

  @Test
  void withoutAnyKeyCertificatesLiveTwelveHoursAndEverybodyGetsThem() {
    IssueSettings settings = bound(IssueProperties.class).settings(URL);

    assertThat(settings.lifetime()).isEqualTo(Duration.ofHours(12));
    assertThat(settings.longest()).isEqualTo(Duration.ofSeconds(1_000_000));
    assertThat(settings.access()).isEmpty();
    assertThat(settings.mail()).isEqualTo(IssueSettings.Mail.SCOPED);
    assertThat(settings.perPerson()).isEqualTo(100);
    assertThat(settings.tokenLife()).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void rulesAreTakenInTheirOrder() {
    IssueSettings settings =
        bound(
                IssueProperties.class,
                "access[0].allow",
                "false",
                "access[0].attribute",
                "uid",
                "access[0].values",
                "a,b",
                "access[1].provider",
                "north",
                "access[1].longest",
                "1h")
            .settings(URL);

    assertThat(settings.access())
        .containsExactly(
            new AccessRule(false, null, "uid", List.of("a", "b"), List.of(), null),
            new AccessRule(true, "north", null, List.of(), List.of(), Duration.ofHours(1)));
  }

  @ParameterizedTest
  @CsvSource({
    "longest,1000001s",
    "longest,1m",
    "lifetime,1m",
    "lifetime,12d",
    "token-life,29s",
    "token-life,301s",
    "name,/DC=org/CN={displayName}",
    "per-person.certificates,0",
    "per-person.within,0s",
    "access[0].values,x",
    "access[0].longest,1000001s"
  })
  void valueOutOfItsRangeIsRefused(String key, String value) {
    refused(IssueProperties.class, key, value);
  }

  @Test
  void serviceIsBehindALoginWhereNothingElseIsSaid() {
    assertThat(bound(ServiceProperties.class, "path", "/echo").settings())
        .isEqualTo(
            new ProtectedService("/echo", Set.of(Protection.SAML), Map.of(), null, 64 * 1024));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "echo",
        "/echo/",
        "/a//b",
        "/../x",
        "/a/..",
        "/./a",
        "/a%2fb",
        "/a;b",
        "/a b",
        "/login",
        "/saml2/x",
        "/certificates",
        "/SLCS",
        "/x"
      })
  void pathThatIsNoneOrOneOfOurOwnIsRefused(String path) {
    refused(ServiceProperties.class, "path", path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none,saml", "none,certificate"})
  void noneAndSomethingIsRefused(String protection) {
    refused(ServiceProperties.class, "path", "/echo", "protection", protection);
  }

  @Test
  void attributeThatNobodyHasIsRefused() {
    refused(
        ServiceProperties.class,
        "path",
        "/echo",
        "protection",
        "certificate",
        "require[0].attribute",
        "uid",
        "require[0].values",
        "x");
    refused(ServiceProperties.class, "path", "/echo", "require[0].attribute", "uid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ftp://h/x", "http://h/", "http://h/x?y", "file:///etc/passwd", "//h/x", "h"})
  void upstreamThatIsNoneIsRefused(String upstream) {
    refused(ServiceProperties.class, "path", "/x", "upstream", upstream);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://authn.example.org", "https://authn.example.org/", "authn.example.org"})
  void authnServiceInClearOrWithoutAUrlIsRefused(String url) {
    refused(AuthnProperties.class, "url", url);
  }

  @Test
  void answerOfAuthnServiceIsRememberedForASecondAtMost() {
    refused(AuthnProperties.class, "url", "https://a.example.org", "cache", "1001ms");
    assertThat(bound(AuthnProperties.class, "url", "https://a.example.org").settings().cache())
        .isEqualTo(Duration.ofMillis(500));
  }
}
