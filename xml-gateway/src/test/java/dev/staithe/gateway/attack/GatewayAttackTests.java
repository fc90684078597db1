package dev.staithe.gateway.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.RunningGateway;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.SoapVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks that are between messages, or between HTTP and a message: before a running gateway. */
class GatewayAttackTests {
  private static final String PAYLOAD = "<p:pay xmlns:p=\"urn:pay\">1</p:pay>";

  @TempDir static Path folder;
  private static RecordingService service;
  private static RunningGateway gateway;
  private static Holder ada;
  private static final Map<String, SoapCaller> CALLERS = new LinkedHashMap<>();

  @BeforeAll
  static void start() throws IOException {
    service =
        new RecordingService(
            RecordingService.with(
                200,
                "text/xml;charset=utf-8",
                "<s:Envelope xmlns:s=\""
                    + SoapVersion.SOAP_1_1.namespace()
                    + "\"><s:Body>"
                    + PAYLOAD
                    + "</s:Body></s:Envelope>"));
    ThrowAwayAuthority people = ThrowAwayAuthority.in(folder.resolve("people"), Clock.systemUTC());
    Credential own =
        people
            .issuer()
            .issueHost(
                new HostCertificateRequest(
                    List.of("gateway"), KeyKind.RSA_2048, Duration.ofDays(1)));
    own.write(folder.resolve("message.pem"), folder.resolve("message-key.pem"));
    RequestedKey key = RequestedKey.make(KeyKind.RSA_2048);
    ada =
        Holder.of(
            new Credential(
                key.key(),
                List.of(
                    people
                        .issuer()
                        .issuePerson(
                            PersonCertificateRequest.of(
                                DistinguishedName.parse("/DC=org/DC=staithe/CN=Ada"),
                                key.publicKey(),
                                Duration.ofHours(1)),
                            CertificateProfile.plain()))),
            own.certificate());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.message.certificate", folder.resolve("message.pem"));
    settings.put("staithe.message.key", folder.resolve("message-key.pem"));
    settings.put("staithe.message.trust", people.certificateFile());
    int number = 0;
    for (String policy : List.of("x509", "conversation")) {
      for (String engine : List.of("auto", "dom")) {
        settings.putAll(
            RunningGateway.endpoint(
                number, "/" + policy + "-" + engine, policy, service.address()));
        settings.put("staithe.endpoints[" + number++ + "].engine", engine);
      }
    }
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  @AfterAll
  static void stop() {
    CALLERS.values().forEach(SoapCaller::close);
    gateway.close();
    service.close();
  }

  private static EndpointPolicy policy(String path) {
    return BuiltInPolicies.policy(path.substring(1, path.indexOf('-')), AlgorithmList.MODERN);
  }

  private static SecuredRequest secured(String path, String action, String to) throws IOException {
    EndpointPolicy policy = policy(path);
    SecurityContext context = path.startsWith("/conversation") ? context(path) : null;
    return new Initiator(policy, ada, context, Clock.systemUTC())
        .secure(PlainRequest.of(SoapVersion.SOAP_1_1, action, to, PAYLOAD));
  }

  private static SecuredRequest good(String path) throws IOException {
    return secured(path, "urn:pay", gateway.url() + path);
  }

  private static SecurityContext context(String path) throws IOException {
    SoapCaller caller = CALLERS.get(path);
    if (caller == null) {
      caller =
          new SoapCaller(
              URI.create(gateway.url() + path),
              policy(path),
              ada,
              gateway.authority().clientContext(),
              Clock.systemUTC());
      CALLERS.put(path, caller);
    }
    return caller.context(SoapVersion.SOAP_1_1);
  }

  private static HttpResponse<String> send(String path, byte[] envelope, String... headers)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway.url() + path))
            .header("Content-Type", "text/xml;charset=utf-8")
            .POST(HttpRequest.BodyPublishers.ofByteArray(envelope));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try (var client =
        HttpClient.newBuilder().sslContext(gateway.authority().clientContext()).build()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Not a word reaches the service, and the audit log knows why. */
  private static void refused(String reason, HttpResponse<String> answer, int seenBefore) {
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(service.seen()).hasSize(seenBefore);
    assertThat(gateway.audited(answer)).contains("\"outcome\":\"" + reason + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/x509-auto", "/x509-dom", "/conversation-auto", "/conversation-dom"})
  void replay(String path) throws IOException {
    SecuredRequest good = good(path);
    assertThat(send(path, good.envelope(), "SOAPAction", "\"urn:pay\"").statusCode())
        .isEqualTo(200);
    int seen = service.seen().size();

    refused("replay", send(path, good.envelope(), "SOAPAction", "\"urn:pay\""), seen);
  }

  /** The same signature in other clothes is the same message. */
  @ParameterizedTest
  @ValueSource(strings = {"/x509-auto", "/x509-dom", "/conversation-auto", "/conversation-dom"})
  void replayWithOtherWhiteSpaceAroundTheSignature(String path) throws IOException {
    SecuredRequest good = good(path);
    assertThat(send(path, good.envelope()).statusCode()).isEqualTo(200);
    int seen = service.seen().size();
    String text = new String(good.envelope(), StandardCharsets.UTF_8);
    String other = text.replaceFirst("(SignatureValue[^>]*>)", "$1\n  ");
    assertThat(other).isNotEqualTo(text);

    refused("replay", send(path, other.getBytes(StandardCharsets.UTF_8)), seen);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/x509-auto", "/x509-dom", "/conversation-auto", "/conversation-dom"})
  void soapActionSpoofing(String path) throws IOException {
    int seen = service.seen().size();

    refused("action", send(path, good(path).envelope(), "SOAPAction", "\"urn:delete\""), seen);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/x509-auto", "/conversation-auto"})
  void addressingSpoofing(String path) throws IOException {
    int seen = service.seen().size();

    refused("action", send(path, secured(path, "urn:pay", "http://elsewhere/").envelope()), seen);
  }

  /** A request for a context that says over HTTP that it is something else, and the other way. */
  @Test
  void actionOfAContextRequestOnAnotherMessage() throws IOException {
    int seen = service.seen().size();
    HttpResponse<String> answer =
        send(
            "/conversation-auto",
            good("/conversation-auto").envelope(),
            "SOAPAction",
            '"' + Namespaces.TRUST_13 + "/RST/SCT\"");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(service.seen()).hasSize(seen);
  }

  /** Both directions of a context have the same keys. */
  @ParameterizedTest
  @ValueSource(strings = {"/x509-auto", "/x509-dom", "/conversation-auto", "/conversation-dom"})
  void answerReflectedAsRequest(String path) throws IOException {
    HttpResponse<String> answer = send(path, good(path).envelope());
    assertThat(answer.statusCode()).isEqualTo(200);
    int seen = service.seen().size();

    HttpResponse<String> again = send(path, answer.body().getBytes(StandardCharsets.UTF_8));

    assertThat(again.statusCode()).isEqualTo(500);
    assertThat(service.seen()).hasSize(seen);
  }

  @Test
  void contextOfOneEndpointAtAnother() throws IOException {
    SecuredRequest good = good("/conversation-auto");
    int seen = service.seen().size();

    refused("context", send("/conversation-dom", good.envelope()), seen);
  }

  /** What is compressed may be anything when it is not: it is not taken at all. */
  @Test
  void bombByCompression() throws IOException {
    var bomb = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bomb)) {
      byte[] nothing = new byte[1 << 20];
      for (int i = 0; i < 64; i++) {
        gzip.write(nothing);
      }
    }

    HttpResponse<String> answer =
        send("/x509-auto", bomb.toByteArray(), "Content-Encoding", "gzip");

    assertThat(answer.statusCode()).isIn(400, 415, 500);
    assertThat(answer.body()).doesNotContain("Exception");
  }

  /** One fault for all that concerns keys, whatever the audit log says of it. */
  @Test
  void faultsTellNothingOfWhatIsWrong() throws IOException {
    String path = "/x509-auto";
    var broken = new Cut(good(path).envelope());
    var value = broken.first(Namespaces.DS, "SignatureValue");
    value.setTextContent("AAAA" + value.getTextContent().substring(4));
    var wrapped = new Cut(good(path).envelope());
    wrapped.security().appendChild(Cut.replace(wrapped.body(), wrapped.evilBody("")));
    var undecryptable = new Cut(good(path).envelope());
    var cipher = undecryptable.first(Namespaces.XENC, "CipherValue");
    cipher.setTextContent("AAAA" + cipher.getTextContent().substring(4));
    var bare = new Cut(good(path).envelope());
    bare.header().removeChild(bare.security());

    assertThat(
            List.of(
                    send(path, broken.bytes()).body(),
                    send(path, wrapped.bytes()).body(),
                    send(path, undecryptable.bytes()).body(),
                    send(path, bare.bytes()).body())
                .stream()
                .distinct())
        .singleElement()
        .asString()
        .contains("InvalidSecurity")
        .doesNotContain("Exception");
  }
}
