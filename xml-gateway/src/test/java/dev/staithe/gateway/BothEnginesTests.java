package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.gateway.engine.BothEngines;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.xml.SoapVersion;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Endpoints of which both engines judge, beside one that takes the faster one's word. */
class BothEnginesTests {
  private static final String PAYLOAD = "<say xmlns=\"urn:t\">hello</say>";

  /**
   * More elements than the tree takes out of what was encrypted; the streaming engine passes them.
   */
  private static final String BROAD =
      "<say xmlns=\"urn:t\">" + "<e></e>".repeat(250_001) + "</say>";

  @TempDir private static Path folder;
  private static RecordingService service;
  private static MessageSite site;
  private static RunningGateway gateway;
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeAll
  static void start() throws Exception {
    site = MessageSite.in(folder);
    service = MessageSite.service();
    Map<String, Object> settings = new LinkedHashMap<>(site.settings());
    settings.putAll(RunningGateway.endpoint(0, "/both", "x509", service.address()));
    settings.put("staithe.endpoints[0].engine", "both");
    settings.putAll(RunningGateway.endpoint(1, "/auto", "x509", service.address()));
    settings.putAll(RunningGateway.endpoint(2, "/plain", "none", service.address()));
    settings.put("staithe.endpoints[2].engine", "both");
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  @BeforeEach
  void listen() {
    log.start();
    ((Logger) LoggerFactory.getLogger(BothEngines.class)).addAppender(log);
  }

  @AfterEach
  void listenNoMore() {
    ((Logger) LoggerFactory.getLogger(BothEngines.class)).detachAppender(log);
  }

  private static String secured(String path, String payload) throws IOException {
    SecuredRequest request =
        new Initiator(
                BuiltInPolicies.policy("x509", AlgorithmList.MODERN),
                site.holder(),
                null,
                Clock.systemUTC())
            .secure(
                PlainRequest.of(SoapVersion.SOAP_1_1, "urn:t:say", gateway.url() + path, payload));
    return new String(request.envelope(), StandardCharsets.UTF_8);
  }

  private static HttpResponse<String> send(String path, String message) {
    return gateway.post(path, message, "SOAPAction", "\"urn:t:say\"");
  }

  private static double count(String meter, String... tags) {
    Counter counter = gateway.bean(MeterRegistry.class).find(meter).tags(tags).counter();
    return counter == null ? 0 : counter.count();
  }

  @Test
  void messageThatBothAcceptGoesOnAndIsAnswered() throws IOException {
    double before = count("staithe.gateway.judged", "endpoint", "/both", "engine", "both");
    int seen = service.seen().size();

    HttpResponse<String> answer = send("/both", secured("/both", PAYLOAD));

    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    assertThat(answer.body()).contains("EncryptedData");
    assertThat(service.seen()).hasSize(seen + 1);
    assertThat(service.seen().getLast().body()).contains("hello");
    assertThat(count("staithe.gateway.judged", "endpoint", "/both", "engine", "both"))
        .isEqualTo(before + 1);
    assertThat(log.list).isEmpty();
  }

  @Test
  void messageThatOneEngineAloneAcceptsIsRefusedLoggedAndCounted() throws IOException {
    assertThat(send("/auto", secured("/auto", BROAD)).statusCode()).isEqualTo(200);
    int seen = service.seen().size();
    double before = count("staithe.gateway.refusals", "reason", "disagreement");

    HttpResponse<String> answer = send("/both", secured("/both", BROAD));

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body())
        .contains("InvalidSecurity")
        .doesNotContain("engine")
        .doesNotContain("disagree");
    assertThat(service.seen()).hasSize(seen);
    assertThat(gateway.audited(answer))
        .contains("\"outcome\":\"disagreement\"")
        .contains("the engines disagree whether it is accepted");
    assertThat(count("staithe.gateway.refusals", "reason", "disagreement")).isEqualTo(before + 1);
    assertThat(log.list).hasSize(1);
    ILoggingEvent line = log.list.getFirst();
    assertThat(line.getLevel()).isEqualTo(Level.WARN);
    assertThat(line.getMDCPropertyMap().get("request"))
        .isEqualTo(answer.headers().firstValue("X-Request-Id").orElseThrow());
    assertThat(line.getFormattedMessage())
        .contains("/both")
        .contains("stream accepts it of \"/DC=org/DC=staithe/CN=Ada\"")
        .contains("dom refuses it as DECRYPTION");
  }

  @Test
  void messageThatBothRefuseIsNoDisagreement() throws IOException {
    String changed = secured("/both", PAYLOAD).replaceFirst("<ds:SignatureValue>..", "$0AA");

    HttpResponse<String> answer = send("/both", changed);

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(gateway.audited(answer)).contains("\"outcome\":\"signature\"");
    assertThat(log.list).isEmpty();
  }

  @Test
  void messageThatComesAgainIsRefusedOnceBothHaveAcceptedIt() throws IOException {
    String message = secured("/both", PAYLOAD);
    assertThat(send("/both", message).statusCode()).isEqualTo(200);

    HttpResponse<String> answer = send("/both", message);

    assertThat(gateway.audited(answer)).contains("\"outcome\":\"replay\"");
    assertThat(log.list).isEmpty();
  }

  @Test
  void messageThatNoKeyProtectsPassesAsElsewhere() {
    String plain =
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
            + PAYLOAD
            + "</s:Body></s:Envelope>";

    assertThat(send("/plain", plain).statusCode()).as(gateway.audit()).isEqualTo(200);
  }

  /** Nobody could meet it: there is no second opinion. */
  @Test
  void policyThatOneEngineAloneKnowsIsNotPutInForce() {
    for (String policy : List.of("username", "encrypted-key", "conversation-username")) {
      Map<String, Object> settings = new LinkedHashMap<>(site.settings());
      settings.putAll(RunningGateway.endpoint(0, "/jobs", policy, service.address()));
      settings.put("staithe.endpoints[0].engine", "both");
      assertThatThrownBy(() -> RunningGateway.start(folder.resolve(policy), settings))
          .as(policy)
          .hasStackTraceContaining(
              "staithe.endpoints[0].policy = \""
                  + policy
                  + "\" needs engine auto or dom: one engine alone knows it");
    }
  }
}
