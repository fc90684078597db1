package dev.staithe.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample by itself: no handler is switched on. */
final class EchoTests {
  private static final String ASKED =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>%s</s:Body></s:Envelope>";

  @TempDir static Path folder;
  private static ThrowAwayAuthority authority;
  private static RunningEcho echo;

  @BeforeAll
  static void start() {
    authority = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    ThrowAwayAuthority.Host host = authority.localhost();
    echo =
        new RunningEcho(
            FreePort.next(),
            Map.of(
                "tls.certificate", host.certificate(),
                "tls.key", host.key(),
                "access-log.enabled", false));
  }

  @AfterAll
  static void stop() {
    echo.close();
  }

  private static Curl.Response soap(String payload) {
    return Curl.to(echo.url() + "/services/")
        .trusting(authority)
        .header("Content-Type", "text/xml")
        .body(ASKED.formatted(payload))
        .run();
  }

  @Test
  void soapSaysAgainWhatItWasTold() {
    assertThat(
            soap("<e:echoString xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>a &amp; b</e:say></e:echoString>")
                .text())
        .contains("hear>a &amp; b</");
  }

  @Test
  void restSaysAgainWhatItWasTold() {
    var answer =
        Curl.to(echo.url() + "/echoString")
            .trusting(authority)
            .header("Content-Type", "application/json")
            .body("{\"say\":\"a & b\"}")
            .run();

    assertThat(answer.text()).isEqualTo("{\"hear\":\"a & b\"}");
  }

  @Test
  void requestWithADocumentTypeIsRefused() {
    var answer =
        Curl.to(echo.url() + "/services/")
            .trusting(authority)
            .header("Content-Type", "text/xml")
            .body(
                "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"
                    + ASKED.formatted(
                        "<e:echoString xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>&e;</e:say></e:echoString>"))
            .run();

    assertThat(answer.status()).isGreaterThanOrEqualTo(400);
    assertThat(answer.text()).doesNotContain("root:");
  }

  @Test
  void delegationThatNobodyHandlesIsNotUnderstoodByTheMethod() {
    String pair = "<d:DelegationID xmlns:d=\"urn:delegation\">1</d:DelegationID>";

    assertThat(
            soap("<e:echoString xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>x</e:say>"
                    + pair
                    + "</e:echoString>")
                .text())
        .contains("Fault");
  }

  @Test
  void descriptionIsThereWithTheAddressOfTheService() {
    var answer = Curl.to(echo.url() + "/services/echo.wsdl").trusting(authority).run();

    assertThat(answer.text()).contains("echoStringRequest").contains(echo.url() + "/services/");
  }
}
