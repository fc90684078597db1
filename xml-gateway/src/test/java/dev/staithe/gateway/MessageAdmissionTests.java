package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.mime.XopPackage;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.PolicyOutcome;
import dev.staithe.wss.policy.PolicyReader;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is judged around messages that keys protect. */
final class MessageAdmissionTests {
  private static final String PAYLOAD = "<say xmlns=\"urn:t\">hello</say>";

  @TempDir private static Path folder;
  private static MessageSite site;
  private static RecordingService service;
  private static RunningGateway gateway;
  private static EndpointPolicy withoutAddressing;

  @BeforeAll
  static void start() throws IOException {
    site = MessageSite.in(folder);
    service = MessageSite.service();
    byte[] document =
        new String(BuiltInPolicies.document("x509", AlgorithmList.MODERN), StandardCharsets.UTF_8)
            .replaceAll("<sp:Header [^>]*/>", "")
            .getBytes(StandardCharsets.UTF_8);
    withoutAddressing =
        PolicyReader.read(document, AlgorithmList.MODERN)
                instanceof PolicyOutcome.Accepted(EndpointPolicy policy)
            ? policy
            : BuiltInPolicies.policy("none", AlgorithmList.MODERN);
    Path file = Files.write(folder.resolve("body-only.xml"), document);
    Map<String, Object> settings = new LinkedHashMap<>(site.settings());
    settings.putAll(RunningGateway.endpoint(0, "/jobs", "x509", service.address()));
    settings.putAll(RunningGateway.endpoint(1, "/others", "x509", service.address()));
    settings.putAll(RunningGateway.endpoint(2, "/body", file.toString(), service.address()));
    settings.putAll(RunningGateway.endpoint(3, "/bobs", "x509", service.address()));
    settings.put("staithe.endpoints[3].callers[0]", "/DC=org/DC=staithe/CN=Bob");
    settings.putAll(
        RunningGateway.endpoint(4, "/down", "x509", URI.create("http://127.0.0.1:1/service")));
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  private static SecuredRequest secured(EndpointPolicy policy, String action, String to)
      throws IOException {
    return new Initiator(policy, site.holder(), null, Clock.systemUTC())
        .secure(PlainRequest.of(SoapVersion.SOAP_1_1, action, gateway.url() + to, PAYLOAD));
  }

  private static SecuredRequest secured(String to) throws IOException {
    return secured(BuiltInPolicies.policy("x509", AlgorithmList.MODERN), "urn:t:say", to);
  }

  private static HttpResponse<String> send(String path, SecuredRequest request, String action) {
    return gateway.post(
        path,
        new String(request.envelope(), StandardCharsets.UTF_8),
        "SOAPAction",
        "\"" + action + "\"");
  }

  private static void assertRefused(HttpResponse<String> answer, int seen, String outcome) {
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).doesNotContain("heard");
    assertThat(service.seen()).hasSize(seen);
    assertThat(gateway.audited(answer)).contains("\"outcome\":\"" + outcome + "\"");
  }

  @Test
  void messageThatComesAgainIsRefusedAndNotForwarded() throws IOException {
    SecuredRequest request = secured("/jobs");
    assertThat(send("/jobs", request, "urn:t:say").statusCode()).isEqualTo(200);
    int seen = service.seen().size();

    assertRefused(send("/jobs", request, "urn:t:say"), seen, "replay");
  }

  @Test
  void messageForAnotherEndpointIsRefused() throws IOException {
    int seen = service.seen().size();

    assertRefused(send("/others", secured("/jobs"), "urn:t:say"), seen, "action");
  }

  @Test
  void messageForAnotherSiteWithTheSamePathIsRefused() throws IOException {
    int seen = service.seen().size();
    SecuredRequest elsewhere =
        new Initiator(
                BuiltInPolicies.policy("x509", AlgorithmList.MODERN),
                site.holder(),
                null,
                Clock.systemUTC())
            .secure(
                PlainRequest.of(
                    SoapVersion.SOAP_1_1, "urn:t:say", "https://gate.example.org/jobs", PAYLOAD));

    assertRefused(send("/jobs", elsewhere, "urn:t:say"), seen, "action");
  }

  @Test
  void actionOfHttpThatIsNotTheSignedOneIsRefused() throws IOException {
    int seen = service.seen().size();

    assertRefused(send("/jobs", secured("/jobs"), "urn:t:delete"), seen, "action");
  }

  @Test
  void unsignedActionDoesNotReachTheService() throws IOException {
    HttpResponse<String> answer =
        send("/body", secured(withoutAddressing, "", "/body"), "urn:t:delete");

    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    assertThat(service.seen().getLast().header("Soapaction")).isEqualTo("\"\"");
  }

  /** The service would send its faults there, in the clear, and nobody signed that. */
  @ParameterizedTest
  @ValueSource(strings = {"ReplyTo", "FaultTo"})
  void unsignedAddressForAnswersDoesNotReachTheService(String name) throws IOException {
    assertThat(gateway.post("/body", redirected(secured(withoutAddressing, "", "/body"), name)))
        .satisfies(it -> assertThat(it.statusCode()).as(gateway.audit()).isEqualTo(200));
    assertThat(service.seen().getLast().body()).contains("hello").doesNotContain("attacker");
    int seen = service.seen().size();

    assertRefused(gateway.post("/jobs", redirected(secured("/jobs"), name)), seen, "coverage");
  }

  private static String redirected(SecuredRequest request, String name) {
    String text = new String(request.envelope(), StandardCharsets.UTF_8);
    String block =
        "<NAME xmlns=\"http://www.w3.org/2005/08/addressing\"><Address>http://attacker/</Address></NAME>"
            .replace("NAME", name);
    String changed = text.replaceFirst("(</([a-z]+:)?Header>)", block + "$1");
    assertThat(changed).isNotEqualTo(text);
    return changed;
  }

  @Test
  void signerWhoIsNoCallerOfTheEndpointIsRefusedInAProtectedFault() throws IOException {
    int seen = service.seen().size();

    HttpResponse<String> answer = send("/bobs", secured("/bobs"), "urn:t:say");

    assertRefused(answer, seen, "not-allowed");
    assertThat(answer.body()).contains("EncryptedData").doesNotContain("may not");
  }

  /** Its answer could not be encrypted, and the service would have acted each time. */
  @Test
  void signerWhoseKeyTakesNoAnswerIsRefusedBeforeTheServiceActs() throws IOException {
    int seen = service.seen().size();
    SecuredRequest request =
        new Initiator(
                BuiltInPolicies.policy("x509", AlgorithmList.MODERN),
                site.curved(),
                null,
                Clock.systemUTC())
            .secure(
                PlainRequest.of(
                    SoapVersion.SOAP_1_1, "urn:t:say", gateway.url() + "/jobs", PAYLOAD));

    HttpResponse<String> answer = send("/jobs", request, "urn:t:say");

    assertRefused(answer, seen, "policy");
    assertThat(gateway.audited(answer)).contains("not RSA");
  }

  /** Who asked is known by then, and a service that is late may have acted. */
  @Test
  void messageWhoseServiceFailsIsInTheAuditLogWithItsCaller() throws IOException {
    HttpResponse<String> answer = send("/down", secured("/down"), "urn:t:say");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(gateway.audited(answer))
        .contains("\"outcome\":\"down\"", "\"caller\":\"/DC=org/DC=staithe/CN=Ada\"");
  }

  @Test
  void plainMessageIsRefused() {
    int seen = service.seen().size();
    String plain =
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
            + PAYLOAD
            + "</s:Body></s:Envelope>";

    assertRefused(gateway.post("/jobs", plain), seen, "no-security");
  }

  @Test
  void partThatNothingInAProtectedEnvelopeIncludesIsRefused() throws IOException {
    int seen = service.seen().size();
    byte[] body = XopPackage.of(secured("/jobs").envelope()).with("a", new byte[] {'x'}).closed();

    assertRefused(gateway.send("/jobs", XopPackage.TYPE, body), seen, "coverage");
  }

  @Test
  void protectedEnvelopeThatIsTheOnlyPartIsTaken() throws IOException {
    byte[] body = XopPackage.of(secured("/jobs").envelope()).closed();

    HttpResponse<String> answer = gateway.send("/jobs", XopPackage.TYPE, body);

    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    assertThat(service.seen().getLast().header("Content-type")).startsWith("text/xml");
  }
}
