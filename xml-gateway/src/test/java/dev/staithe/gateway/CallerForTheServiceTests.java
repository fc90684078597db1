package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.route.RecordingService;
import dev.staithe.pki.Pem;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a service behind is told of who calls. */
final class CallerForTheServiceTests {
  private static final String PLAIN =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
          + "<say xmlns=\"urn:t\">hello</say></s:Body></s:Envelope>";

  @TempDir private static Path folder;
  private static MessageSite site;
  private static RecordingService service;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() throws IOException {
    site = MessageSite.in(folder);
    service = MessageSite.service();
    Map<String, Object> settings = new LinkedHashMap<>(site.settings());
    settings.putAll(RunningGateway.endpoint(0, "/jobs", "x509", service.address()));
    settings.putAll(RunningGateway.endpoint(1, "/open", "none", service.address()));
    settings.putAll(RunningGateway.endpoint(2, "/quiet", "x509", service.address()));
    for (int i = 0; i < 2; i++) {
      settings.put("staithe.endpoints[" + i + "].caller-header", "X-Caller");
      settings.put("staithe.endpoints[" + i + "].caller-token", "X-Caller-Token");
    }
    settings.put("staithe.endpoints[1].pass", "Authorization,Cookie");
    settings.put("staithe.caller-tokens.certificate", folder.resolve("message.pem"));
    settings.put("staithe.caller-tokens.key", folder.resolve("message-key.pem"));
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  private static RecordingService.Seen call(String path) throws IOException {
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
                    gateway.url() + path,
                    "<say xmlns=\"urn:t\">hello</say>"))
            .envelope();
    var answer =
        gateway.post(
            path,
            new String(envelope, StandardCharsets.UTF_8),
            "X-Caller",
            "/CN=Somebody",
            "X-Caller-Token",
            "forged",
            "Authorization",
            "Basic YWRhOmFkYQ==",
            "Cookie",
            "sso=a1");
    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    return service.seen().getLast();
  }

  @Test
  void serviceIsToldTheSubjectThatSignedAndNotWhatTheClientSays() throws IOException {
    assertThat(call("/jobs").headers().get("X-caller"))
        .containsExactly("/DC=org/DC=staithe/CN=Ada");
  }

  @Test
  void tokenIsSignedForThisServiceAndAShortTime() throws Exception {
    String token = call("/jobs").header("X-caller-token");
    String[] parts = token.split("\\.");
    JsonNode claims = JsonMapper.shared().readTree(Base64.getUrlDecoder().decode(parts[1]));

    assertThat(isSigned(parts)).isTrue();
    assertThat(claims.path("sub").asString()).isEqualTo("/DC=org/DC=staithe/CN=Ada");
    assertThat(claims.path("aud").asString()).isEqualTo(service.address().toString());
    assertThat(claims.path("iss").asString()).isEqualTo(gateway.url().toString());
    assertThat(claims.path("amr").path(0).asString()).isEqualTo("certificate");
    assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isEqualTo(300);
    assertThat(Instant.ofEpochSecond(claims.path("exp").asLong())).isAfter(Instant.now());
  }

  private static boolean isSigned(String[] parts) throws GeneralSecurityException, IOException {
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(Pem.readCertificates(folder.resolve("message.pem")).getFirst());
    signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
    return signature.verify(Base64.getUrlDecoder().decode(parts[2]));
  }

  @Test
  void nobodyInParticularIsNotToldOfWhateverTheClientSays() {
    var answer = gateway.post("/open", PLAIN, "X-Caller", "/CN=Ada");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(service.seen().getLast().headers()).doesNotContainKeys("X-caller", "X-caller-token");
  }

  @Test
  void whatASiteLetsThroughGoesOnAsItCame() {
    var answer =
        gateway.post("/open", PLAIN, "Authorization", "Bearer of.good.news", "Cookie", "sso=a1");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(service.seen().getLast().headers())
        .containsEntry("Authorization", List.of("Bearer of.good.news"))
        .containsEntry("Cookie", List.of("sso=a1"));
  }

  @Test
  void whatIsLetThroughAndComesTwiceIsRefused() {
    int before = service.seen().size();

    var answer =
        gateway.post("/open", PLAIN, "Authorization", "Bearer a", "Authorization", "Bearer b");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).contains("InvalidSecurity");
    assertThat(gateway.audit()).contains("a header of HTTP came twice");
    assertThat(service.seen()).hasSize(before);
  }

  @Test
  void serviceOfAnEndpointThatSaysNothingIsToldNothing() throws IOException {
    assertThat(call("/quiet").headers())
        .doesNotContainKeys("X-caller", "X-caller-token", "Authorization", "Cookie");
  }
}
