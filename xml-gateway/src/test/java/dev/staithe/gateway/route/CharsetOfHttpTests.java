package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.staithe.gateway.MessageSite;
import dev.staithe.gateway.RunningGateway;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of which HTTP alone says what they are in, as older toolkits send them. */
final class CharsetOfHttpTests {
  private static final String LATIN = "text/xml; charset=ISO-8859-1";
  private static final String SAID =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
          + "<say xmlns=\"urn:t\">gr\u00fcn</say></s:Body></s:Envelope>";

  @TempDir private static Path folder;
  private static MessageSite site;
  private static RecordingService service;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() throws IOException {
    site = MessageSite.in(folder);
    service = new RecordingService(CharsetOfHttpTests::answer);
    Map<String, Object> settings = new LinkedHashMap<>(site.settings());
    settings.putAll(RunningGateway.endpoint(0, "/plain", "none", service.address()));
    settings.putAll(RunningGateway.endpoint(1, "/signed", "x509", service.address()));
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    byte[] octets = SAID.getBytes(StandardCharsets.ISO_8859_1);
    exchange.getResponseHeaders().set("Content-Type", LATIN);
    exchange.sendResponseHeaders(200, octets.length);
    exchange.getResponseBody().write(octets);
    exchange.close();
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  @Test
  void whatNothingProtectsPassesInItsOwnBytesBothWays() {
    byte[] octets = SAID.getBytes(StandardCharsets.ISO_8859_1);

    HttpResponse<String> answer = gateway.send("/plain", LATIN, octets);

    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(SAID);
    RecordingService.Seen seen = service.seen().getLast();
    assertThat(seen.header("Content-type")).isEqualToIgnoringCase(LATIN);
    assertThat(seen.body()).isEqualTo(new String(octets, StandardCharsets.UTF_8));
  }

  @Test
  void whatKeysProtectIsReadInItAndGoesOnInUtf8() throws IOException {
    byte[] envelope =
        new Initiator(
                BuiltInPolicies.policy("x509", AlgorithmList.MODERN),
                site.holder(),
                null,
                Clock.systemUTC())
            .secure(
                PlainRequest.of(
                    SoapVersion.SOAP_1_1,
                    "urn:t:say",
                    gateway.url() + "/signed",
                    "<say xmlns=\"urn:t\">gr\u00fcn</say>"))
            .envelope();
    // What is encrypted is in UTF-8 in any case.
    String text = new String(envelope, StandardCharsets.UTF_8) + "<!-- gr\u00fcn -->";

    HttpResponse<String> answer =
        gateway.send("/signed", LATIN, text.getBytes(StandardCharsets.ISO_8859_1));

    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    RecordingService.Seen seen = service.seen().getLast();
    assertThat(seen.header("Content-type")).isEqualTo("text/xml;charset=utf-8");
    assertThat(seen.body()).contains(">gr\u00fcn<");
  }
}
