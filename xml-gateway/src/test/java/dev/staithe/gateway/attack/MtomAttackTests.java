package dev.staithe.gateway.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.MessageSite;
import dev.staithe.gateway.RunningGateway;
import dev.staithe.gateway.mime.XopPackage;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.wss.client.AnswerReader;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.client.SoapResponse;
import dev.staithe.wss.evidence.EvidenceFolder;
import dev.staithe.wss.evidence.KeptMessage;
import dev.staithe.wss.evidence.Verification;
import dev.staithe.wss.evidence.Verifier;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.PolicyOutcome;
import dev.staithe.wss.policy.PolicyReader;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Signed messages whose data travels in parts of MTOM, and what is done to the parts. */
class MtomAttackTests {
  private static final byte[] FIRST =
      "first of two, not in base64".getBytes(StandardCharsets.UTF_8);
  private static final byte[] SECOND = {0, (byte) 0xff, '<', '&', '\r', '\n', '-', '-'};
  private static final String PAYLOAD =
      "<p:put xmlns:p=\"urn:put\"><p:a>%s</p:a><p:b>%s</p:b></p:put>";
  private static final String INCLUDE =
      "<xop:Include xmlns:xop=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:%s\"/>";
  private static final String ANSWER =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
          + "<got xmlns=\"urn:put\">%s</got></s:Body></s:Envelope>";

  @TempDir static Path folder;
  private static MessageSite site;
  private static RecordingService service;
  private static RunningGateway gateway;
  private static EndpointPolicy signed;

  @BeforeAll
  static void start() throws IOException {
    site = MessageSite.in(folder);
    service = MessageSite.service();
    byte[] document =
        new String(BuiltInPolicies.document("x509", AlgorithmList.MODERN), StandardCharsets.UTF_8)
            .replaceAll("(?s)<sp:EncryptedParts>.*</sp:EncryptedParts>", "")
            .getBytes(StandardCharsets.UTF_8);
    signed =
        PolicyReader.read(document, AlgorithmList.MODERN)
                instanceof PolicyOutcome.Accepted(EndpointPolicy policy)
            ? policy
            : BuiltInPolicies.policy("none", AlgorithmList.MODERN);
    String file = Files.write(folder.resolve("signed.xml"), document).toString();
    Map<String, Object> settings = new LinkedHashMap<>(site.settings());
    int number = 0;
    for (String policy : new String[] {"signed", "x509"}) {
      for (String engine : new String[] {"auto", "dom"}) {
        settings.putAll(
            RunningGateway.endpoint(
                number,
                "/" + policy + "-" + engine,
                policy.equals("signed") ? file : policy,
                service.address()));
        settings.put("staithe.endpoints[" + number + "].message-size", "64KB");
        settings.put("staithe.endpoints[" + number + "].evidence", true);
        settings.put("staithe.endpoints[" + number++ + "].engine", engine);
      }
    }
    settings.put("staithe.evidence.folder", folder.resolve("evidence"));
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  @BeforeEach
  void usual() {
    service.answerAs(
        RecordingService.with(200, "text/xml;charset=utf-8", ANSWER.formatted("plain")));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  private static String base64(byte[] data) {
    return Base64.getEncoder().encodeToString(data);
  }

  private static EndpointPolicy policy(String path) {
    return path.startsWith("/signed")
        ? signed
        : BuiltInPolicies.policy("x509", AlgorithmList.MODERN);
  }

  private static SecuredRequest secured(String path, String payload) throws IOException {
    return new Initiator(policy(path), site.holder(), null, Clock.systemUTC())
        .secure(PlainRequest.of(SoapVersion.SOAP_1_1, "urn:put", gateway.url() + path, payload));
  }

  /** As a client that signs first, and takes the data out then. */
  private static String taken(SecuredRequest request) {
    String envelope = new String(request.envelope(), StandardCharsets.UTF_8);
    String without =
        envelope
            .replace(base64(FIRST), INCLUDE.formatted("a"))
            .replace(base64(SECOND), INCLUDE.formatted("b"));
    assertThat(without).isNotEqualTo(envelope);
    return without;
  }

  private static String taken(String path) throws IOException {
    return taken(secured(path, PAYLOAD.formatted(base64(FIRST), base64(SECOND))));
  }

  private static HttpResponse<String> send(String path, XopPackage parts) {
    return gateway.send(path, XopPackage.TYPE, parts.closed(), "SOAPAction", "\"urn:put\"");
  }

  private static void refused(String reason, HttpResponse<String> answer, int seen) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
    assertThat(service.seen()).hasSize(seen);
    assertThat(gateway.audited(answer)).contains("\"outcome\":\"" + reason + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/signed-auto", "/signed-dom"})
  void partsOfASignedBodyAreInTheBodyThatTheServiceGets(String path) throws IOException {
    HttpResponse<String> answer =
        send(path, XopPackage.of(taken(path)).with("b", SECOND).with("a", FIRST));

    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    RecordingService.Seen seen = service.seen().getLast();
    assertThat(seen.header("Content-type")).startsWith("text/xml");
    assertThat(seen.body())
        .startsWith("<soap:Envelope ")
        .contains(PAYLOAD.formatted(base64(FIRST), base64(SECOND)));
    assertThat(gateway.audited(answer)).contains("\"outcome\":\"ok\"");
    assertKept(PAYLOAD.formatted(base64(FIRST), base64(SECOND)));
  }

  /** What was signed, and so what is kept, has the data in it. */
  private static void assertKept(String payload) throws IOException {
    var kept = new EvidenceFolder(folder.resolve("evidence"));
    List<String> lines = Files.readAllLines(kept.logs().getLast());
    JsonNode line = JsonMapper.shared().readTree(lines.getLast());
    KeptMessage message =
        kept.message(
            line.path("file").asString(),
            line.path("offset").asLong(),
            line.path("length").asInt(),
            line.path("sha256").asString());
    assertThat(Verifier.verify(message, kept.trust(message)))
        .isEqualTo(new Verification.Valid("/DC=org/DC=staithe/CN=Ada"));
    assertThat(message.signature().references())
        .anySatisfy(
            each ->
                assertThat(new String(each.octets(), StandardCharsets.UTF_8)).contains(payload));
  }

  /** CXF sends what it encrypted, and its certificate, in parts. */
  @ParameterizedTest
  @ValueSource(strings = {"/x509-auto", "/x509-dom"})
  void ciphertextAndCertificateInParts(String path) throws IOException {
    String envelope =
        new String(secured(path, PAYLOAD.formatted("AA==", "")).envelope(), StandardCharsets.UTF_8);
    Matcher matcher =
        Pattern.compile("(<[^>]*(?:CipherValue|BinarySecurityToken)[^>]*>)([A-Za-z0-9+/=]{40,})")
            .matcher(envelope);
    var without = new StringBuilder();
    Map<String, String> parts = new LinkedHashMap<>();
    while (matcher.find()) {
      String id = "part-" + parts.size();
      parts.put(id, matcher.group(2));
      matcher.appendReplacement(without, "$1" + INCLUDE.formatted(id));
    }
    assertThat(parts).hasSizeGreaterThanOrEqualTo(3);
    XopPackage all = XopPackage.of(matcher.appendTail(without).toString());
    parts.forEach((id, text) -> all.with(id, Base64.getDecoder().decode(text)));

    HttpResponse<String> answer = send(path, all);

    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    assertThat(service.seen().getLast().body()).contains(PAYLOAD.formatted("AA==", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/signed-auto", "/signed-dom"})
  void partsSwappedAfterSigning(String path) throws IOException {
    int seen = service.seen().size();

    refused(
        "signature",
        send(path, XopPackage.of(taken(path)).with("a", SECOND).with("b", FIRST)),
        seen);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/signed-auto", "/signed-dom"})
  void partChangedAfterSigning(String path) throws IOException {
    int seen = service.seen().size();
    byte[] other = FIRST.clone();
    other[0] ^= 1;

    refused(
        "signature",
        send(path, XopPackage.of(taken(path)).with("a", other).with("b", SECOND)),
        seen);
  }

  /** Signed with the Include in place, so that anything may be in the part. */
  @ParameterizedTest
  @ValueSource(strings = {"/signed-auto", "/signed-dom"})
  void signatureOfTheIncludeAndNotOfThePart(String path) throws IOException {
    int seen = service.seen().size();
    SecuredRequest request =
        secured(
            path,
            "<p:put xmlns:p=\"urn:put\"><xop:Include"
                + " xmlns:xop=\"http://www.w3.org/2004/08/xop/include\""
                + " href=\"cid:a\"></xop:Include></p:put>");

    refused("signature", send(path, XopPackage.of(request.envelope()).with("a", FIRST)), seen);
  }

  @Test
  void unreferencedPart() throws IOException {
    int seen = service.seen().size();
    XopPackage parts = XopPackage.of(taken("/signed-auto")).with("a", FIRST).with("b", SECOND);

    refused("coverage", send("/signed-auto", parts.with("c", FIRST)), seen);
  }

  @Test
  void unknownPart() throws IOException {
    int seen = service.seen().size();

    refused("malformed", send("/signed-auto", XopPackage.of(taken("/signed-auto"))), seen);
  }

  @Test
  void samePartTwice() throws IOException {
    int seen = service.seen().size();
    String same = taken("/signed-auto").replace("cid:b", "cid:a");

    refused("malformed", send("/signed-auto", XopPackage.of(same).with("a", FIRST)), seen);
  }

  @Test
  void attachmentOfSoapWithAttachments() throws IOException {
    int seen = service.seen().size();
    byte[] body = XopPackage.of(taken("/signed-auto")).with("a", FIRST).closed();

    refused(
        "coverage",
        gateway.send("/signed-auto", "multipart/related; boundary=b; type=\"text/xml\"", body),
        seen);
  }

  /** Less than the limit on its way, and more in the envelope. */
  @Test
  void oversizedAfterExpansion() throws IOException {
    int seen = service.seen().size();
    byte[] data = new byte[50_000];
    String envelope =
        new String(
                secured("/signed-auto", "<p:put xmlns:p=\"urn:put\">" + base64(FIRST) + "</p:put>")
                    .envelope(),
                StandardCharsets.UTF_8)
            .replace(base64(FIRST), INCLUDE.formatted("a"));

    refused("limit", send("/signed-auto", XopPackage.of(envelope).with("a", data)), seen);
  }

  /** It is text like any other, and names nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"/signed-auto", "/signed-dom"})
  void includeThatCameWithoutPartsStaysWhatItIs(String path) throws IOException {
    String include =
        "<xop:Include xmlns:xop=\"http://www.w3.org/2004/08/xop/include\""
            + " href=\"cid:a\"></xop:Include>";
    SecuredRequest request = secured(path, "<p:put xmlns:p=\"urn:put\">" + include + "</p:put>");

    HttpResponse<String> answer = gateway.send(path, "text/xml;charset=utf-8", request.envelope());

    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    assertThat(service.seen().getLast().body()).contains(include);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/signed-auto", "/signed-dom", "/x509-auto", "/x509-dom"})
  void partsOfAnAnswerAreProtectedInItsBody(String path) throws IOException {
    answerWith(XopPackage.of(ANSWER.formatted(INCLUDE.formatted("r"))).with("r", FIRST));
    SecuredRequest request = secured(path, PAYLOAD.formatted("", ""));

    HttpResponse<String> answer = gateway.send(path, "text/xml;charset=utf-8", request.envelope());

    assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/xml");
    assertThat(
            new AnswerReader(policy(path), site.holder(), Clock.systemUTC())
                .read(answer.body().getBytes(StandardCharsets.UTF_8), request))
        .isInstanceOfSatisfying(
            SoapResponse.Message.class,
            it -> assertThat(it.payload()).contains(">" + base64(FIRST) + "</"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/signed-auto", "/x509-dom"})
  void answerThatCannotBePutTogetherIsNotSent(String path) throws IOException {
    answerWith(XopPackage.of(ANSWER.formatted("nothing of it")).with("r", FIRST));
    SecuredRequest request = secured(path, PAYLOAD.formatted("", ""));

    HttpResponse<String> answer = gateway.send(path, "text/xml;charset=utf-8", request.envelope());

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(
            new AnswerReader(policy(path), site.holder(), Clock.systemUTC())
                .read(answer.body().getBytes(StandardCharsets.UTF_8), request))
        .isInstanceOfSatisfying(
            SoapResponse.Fault.class,
            it -> {
              assertThat(it.secured()).isTrue();
              assertThat(it.line()).contains("does not answer as it should");
            });
  }

  private static void answerWith(XopPackage parts) {
    byte[] body = parts.closed();
    service.answerAs(
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", XopPackage.TYPE);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }
}
