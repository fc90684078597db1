package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.RunningGateway;
import dev.staithe.pki.Pem;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.PolicyOutcome;
import dev.staithe.wss.policy.PolicyReader;
import dev.staithe.wss.trust.ContextName;
import dev.staithe.wss.trust.TokenRequest;
import dev.staithe.wss.trust.TrustAction;
import dev.staithe.wss.trust.TrustVersion;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of other makers on their whole way through a gateway that runs. */
final class OtherReadingsOverHttpTests {
  private static final String ECHO =
      "<echo xmlns=\"http://www.nordugrid.org/schemas/echo\"><say>hello</say></echo>";
  private static final EndpointPolicy CONVERSATION =
      BuiltInPolicies.policy("conversation", AlgorithmList.INTEROP);

  @TempDir private static Path folder;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() throws IOException {
    Parties.SERVICE.write(folder.resolve("message.pem"), folder.resolve("message-key.pem"));
    Pem.writeCertificates(folder.resolve("people.pem"), List.of(Parties.AUTHORITY.certificate()));
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.message.certificate", folder.resolve("message.pem"));
    settings.put("staithe.message.key", folder.resolve("message-key.pem"));
    settings.put("staithe.message.trust", folder.resolve("people.pem"));
    settings.put("staithe.endpoints[0].path", "/conversation");
    settings.put("staithe.endpoints[0].policy", "conversation");
    settings.put("staithe.endpoints[0].algorithms", "interop");
    int number = 1;
    for (String suite : List.of("Basic256Sha256", "Basic128Sha256")) {
      String key = "staithe.endpoints[" + number++ + "].";
      settings.put(key + "path", "/" + suite);
      settings.put(key + "policy", Files.write(folder.resolve(suite + ".xml"), document(suite)));
      settings.put(key + "algorithms", "interop");
    }
    String key = "staithe.endpoints[" + number + "].";
    settings.put(key + "path", "/february");
    settings.put(key + "policy", Files.write(folder.resolve("february.xml"), ofFebruary2005()));
    settings.put(key + "algorithms", "interop");
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  private static byte[] ofFebruary2005() {
    return new String(
            BuiltInPolicies.document("conversation", AlgorithmList.INTEROP), StandardCharsets.UTF_8)
        .replace(Namespaces.SP_12, Namespaces.SP_2005)
        .replaceAll("(?s)<sp:Trust13>.*</sp:Trust13>", "")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] document(String suite) {
    return new String(
            BuiltInPolicies.document("x509", AlgorithmList.INTEROP), StandardCharsets.UTF_8)
        .replace("<sp:Basic128/>", "<sp:" + suite + "/>")
        .getBytes(StandardCharsets.UTF_8);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  /** As {@link Initiator#PLAIN}, for an endpoint of this gateway. */
  private static String plain(URI to, String action, String content) {
    return Initiator.PLAIN
        .replace("urn:uuid:1", "urn:uuid:" + UUID.randomUUID())
        .replace("https://gw.example/echo", to.toString())
        .replace("urn:echo", action)
        .replaceFirst("<s:Body>.*</s:Body>", "<s:Body>" + content + "</s:Body>");
  }

  private static HttpResponse<String> post(String path, byte[] message, String action) {
    return gateway.post(
        path, new String(message, StandardCharsets.UTF_8), "SOAPAction", '"' + action + '"');
  }

  /** WCF and Rampart sign so under these names, and take nothing else in answers. */
  @ParameterizedTest
  @CsvSource({
    "Basic256Sha256, http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    "Basic128Sha256, http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    "Basic256Sha256, http://www.w3.org/2000/09/xmldsig#rsa-sha1"
  })
  void signatureUnderASuiteNamedSha256IsAnsweredInKind(String suite, String algorithm)
      throws Exception {
    var accepted =
        (PolicyOutcome.Accepted) PolicyReader.read(document(suite), AlgorithmList.INTEROP);
    var initiator = new Initiator(accepted.policy());
    initiator.signatureAlgorithm = algorithm;
    URI to = URI.create(gateway.url() + "/" + suite);

    HttpResponse<String> answer =
        post("/" + suite, initiator.secure(plain(to, "urn:echo", ECHO)), "urn:echo");

    assertThat(answer.statusCode()).as(gateway.audited(answer)).isEqualTo(200);
    assertThat(answer.body()).contains("SignatureMethod Algorithm=\"" + algorithm + "\"");
  }

  /** Clients of each look for the fault by its whole name. */
  @ParameterizedTest
  @CsvSource({"/conversation, " + Namespaces.SC_13, "/february, " + Namespaces.SC_2005})
  void unknownContextIsToldInTheWordsOfThePolicy(String path, String namespace) throws Exception {
    URI to = URI.create(gateway.url() + path);
    SecurityContext unknown = new Parties().context(CONVERSATION, namespace);
    byte[] message = new Initiator(CONVERSATION).secure(plain(to, "urn:echo", ECHO), unknown);

    HttpResponse<String> answer = post(path, message, "urn:echo");

    assertThat(answer.statusCode()).as(gateway.audited(answer)).isEqualTo(500);
    assertThat(answer.body()).contains(":BadContextToken<", "xmlns:f=\"" + namespace + "\"");
  }

  /** Metro ends its contexts so when a port is closed. */
  @Test
  void cancelThatListsAHeaderTwiceEndsTheContext() throws Exception {
    URI to = URI.create(gateway.url() + "/conversation");
    Holder holder = Holder.of(Parties.CLIENT, Parties.SERVICE.certificate());
    try (var caller =
        new SoapCaller(
            to, CONVERSATION, holder, gateway.authority().clientContext(), Clock.systemUTC())) {
      SecurityContext context = caller.context(SoapVersion.SOAP_1_1);
      String action = new TrustAction(TrustVersion.OASIS, TrustAction.Kind.CANCEL).request();
      String cancel =
          new TokenRequest.Cancel(
                  TrustVersion.OASIS, null, new ContextName(context.identifier(), null))
              .payload();
      var initiator = new Initiator(CONVERSATION);
      QName address = new QName(Namespaces.WSA, "To");
      initiator.alsoSigned = List.of(address, address);
      byte[] message = initiator.secure(plain(to, action, cancel), context);
      List<String> references =
          Pattern.compile("Reference URI=\"(#[^\"]+)\"")
              .matcher(new String(message, StandardCharsets.UTF_8))
              .results()
              .map(each -> each.group(1))
              .toList();
      assertThat(references.stream().distinct().count()).isLessThan(references.size());

      HttpResponse<String> answer = post("/conversation", message, action);

      assertThat(answer.statusCode()).as(gateway.audited(answer)).isEqualTo(200);
      assertThat(gateway.audited(answer)).contains("context.cancel", "\"outcome\":\"ok\"");
      byte[] after = new Initiator(CONVERSATION).secure(plain(to, "urn:echo", ECHO), context);
      assertThat(post("/conversation", after, "urn:echo").body()).contains("BadContextToken");
    }
  }
}
