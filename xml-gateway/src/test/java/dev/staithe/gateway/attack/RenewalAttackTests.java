package dev.staithe.gateway.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.RunningGateway;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.client.SoapResponse;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.trust.ContextName;
import dev.staithe.wss.trust.TokenRequest;
import dev.staithe.wss.trust.TrustAction;
import dev.staithe.wss.trust.TrustVersion;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contexts are renewed by whoever logs in as their owner again, without their key: what others can
 * make of that.
 */
final class RenewalAttackTests {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final EndpointPolicy POLICY =
      BuiltInPolicies.policy("conversation", AlgorithmList.MODERN);
  private static final EndpointPolicy BOOTSTRAP =
      ((Binding.Conversation) POLICY.binding()).bootstrap();

  @TempDir private static Path folder;
  private static RunningGateway gateway;
  private static Holder ada;
  private static Holder mallory;
  private static URI at;

  @BeforeAll
  static void start() throws IOException {
    ThrowAwayAuthority people = ThrowAwayAuthority.in(folder.resolve("people"), CLOCK);
    Credential own = credential(people, "gateway");
    own.write(folder.resolve("message.pem"), folder.resolve("message-key.pem"));
    ada = Holder.of(credential(people, "ada"), own.certificate());
    mallory = Holder.of(credential(people, "mallory"), own.certificate());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.message.certificate", folder.resolve("message.pem"));
    settings.put("staithe.message.key", folder.resolve("message-key.pem"));
    settings.put("staithe.message.trust", people.certificateFile());
    settings.put("staithe.endpoints[0].path", "/echo");
    settings.put("staithe.endpoints[0].policy", "conversation");
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
    at = URI.create(gateway.url() + "/echo");
  }

  private static Credential credential(ThrowAwayAuthority people, String name) {
    return people
        .issuer()
        .issueHost(new HostCertificateRequest(List.of(name), KeyKind.RSA_2048, Duration.ofDays(1)));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static SoapCaller caller() throws IOException {
    return new SoapCaller(at, POLICY, ada, gateway.authority().clientContext(), CLOCK);
  }

  private static SoapResponse say(SoapCaller caller) throws IOException {
    return caller.call(
        PlainRequest.of(
            SoapVersion.SOAP_1_1,
            "",
            at.toString(),
            "<echo xmlns=\"http://www.nordugrid.org/schemas/echo\"><say>hello</say></echo>"));
  }

  /** By the bootstrap policy, which the context has no part in. */
  private static String message(Holder holder, TokenRequest request) throws IOException {
    byte[] envelope =
        new Initiator(BOOTSTRAP, holder, null, CLOCK)
            .secure(
                PlainRequest.read(
                    ("<s:Envelope xmlns:s=\""
                            + SoapVersion.SOAP_1_1.namespace()
                            + "\"><s:Body>"
                            + request.payload()
                            + "</s:Body></s:Envelope>")
                        .getBytes(StandardCharsets.UTF_8),
                    action(request.kind()),
                    at.toString()))
            .envelope();
    return new String(envelope, StandardCharsets.UTF_8);
  }

  private static String action(TrustAction.Kind kind) {
    return new TrustAction(TrustVersion.OASIS, kind).request();
  }

  private static TokenRequest renew(SecurityContext context) {
    return new TokenRequest.Renew(
        TrustVersion.OASIS,
        null,
        new ContextName(context.identifier(), context.instance()),
        null,
        256,
        entropy(),
        null);
  }

  private static byte[] entropy() {
    byte[] entropy = new byte[32];
    entropy[1] = 9;
    return entropy;
  }

  private static HttpResponse<String> post(String envelope, TrustAction.Kind kind) {
    return gateway.post("/echo", envelope, "SOAPAction", '"' + action(kind) + '"');
  }

  private static HttpResponse<String> post(String envelope) {
    return post(envelope, TrustAction.Kind.RENEW);
  }

  private static void assertRefused(HttpResponse<String> answer, String outcome) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
    assertThat(gateway.audited(answer)).contains("\"outcome\":\"" + outcome + "\"");
    Trials.held();
  }

  @Test
  void ownerWhoLogsInAnewIsGivenANewKey() throws IOException {
    try (SoapCaller caller = caller()) {
      SecurityContext context = caller.context(SoapVersion.SOAP_1_1);
      HttpResponse<String> answer = post(message(ada, renew(context)));
      assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
      assertThat(answer.body()).doesNotContain(context.identifier());
      assertThat(gateway.audited(answer)).contains("context.renew", "\"instance\":");
      // Messages under the old key may be on their way.
      assertThat(say(caller)).isInstanceOf(SoapResponse.Message.class);
    }
  }

  @Test
  void whoLogsInAsThemselvesRenewsNoContextOfOthers() throws IOException {
    try (SoapCaller caller = caller()) {
      SecurityContext context = caller.context(SoapVersion.SOAP_1_1);
      assertRefused(post(message(mallory, renew(context))), "context");
      assertThat(gateway.audit()).contains("the context is of somebody else");
      assertThat(say(caller)).isInstanceOf(SoapResponse.Message.class);
    }
  }

  @Test
  void renewalThatComesAgainIsRefused() throws IOException {
    try (SoapCaller caller = caller()) {
      String message = message(ada, renew(caller.context(SoapVersion.SOAP_1_1)));
      assertThat(post(message).statusCode()).isEqualTo(200);
      assertRefused(post(message), "replay");
    }
  }

  /** Whoever logs in may ask for what the bootstrap policy is for, and for nothing else. */
  @Test
  void loggingInCancelsNothingAndReachesNoService() throws IOException {
    try (SoapCaller caller = caller()) {
      SecurityContext context = caller.context(SoapVersion.SOAP_1_1);
      String cancel =
          message(
              ada,
              new TokenRequest.Cancel(
                  TrustVersion.OASIS, null, new ContextName(context.identifier(), null)));
      assertRefused(post(cancel, TrustAction.Kind.CANCEL), "policy");
      assertRefused(post(cancel, TrustAction.Kind.RENEW), "action");
      assertRefused(post(message(ada, renew(context)), TrustAction.Kind.ISSUE), "action");
      assertThat(gateway.post("/echo", message(ada, renew(context))).statusCode()).isEqualTo(200);
      assertThat(say(caller)).isInstanceOf(SoapResponse.Message.class);
    }
  }

  /** What anybody on the way can put into the security header of a renewal. */
  private static String endorsed(String message, String identifier, String covered) {
    String context =
        "<c:SecurityContextToken xmlns:c=\"%1$s\" xmlns:u=\"%2$s\" u:Id=\"put-in\"><c:Identifier>%3$s</c:Identifier></c:SecurityContextToken>"
            .formatted(Namespaces.SC_13, Namespaces.WSU, identifier);
    String derived =
        "<c:DerivedKeyToken xmlns:c=\"%1$s\" xmlns:u=\"%2$s\" xmlns:w=\"%3$s\" u:Id=\"put-in-key\"><w:SecurityTokenReference><w:Reference URI=\"#put-in\"/></w:SecurityTokenReference><c:Length>32</c:Length><c:Nonce>AAAAAAAAAAAAAAAAAAAAAA==</c:Nonce></c:DerivedKeyToken>"
            .formatted(Namespaces.SC_13, Namespaces.WSU, Namespaces.WSSE);
    String signature =
        "<d:Signature xmlns:d=\"%1$s\"><d:SignedInfo><d:CanonicalizationMethod Algorithm=\"%2$s\"/><d:SignatureMethod Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#hmac-sha256\"/><d:Reference URI=\"#%3$s\"><d:Transforms><d:Transform Algorithm=\"%2$s\"/></d:Transforms><d:DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"/><d:DigestValue>AAAA</d:DigestValue></d:Reference></d:SignedInfo><d:SignatureValue>AAAA</d:SignatureValue><d:KeyInfo><w:SecurityTokenReference xmlns:w=\"%4$s\"><w:Reference URI=\"#put-in-key\"/></w:SecurityTokenReference></d:KeyInfo></d:Signature>"
            .formatted(Namespaces.DS, Namespaces.EXC_C14N, covered, Namespaces.WSSE);
    return putIn(message, context + derived + signature);
  }

  private static String putIn(String message, String more) {
    String end = "</wsse:Security>";
    assertThat(message).contains(end);
    return message.replace(end, more + end);
  }

  /** The identifier of the main signature, which an endorsement covers. */
  private static String main(String message) {
    Matcher found = Pattern.compile("<ds:Signature [^>]*Id=\"([^\"]+)\"").matcher(message);
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  @Test
  void endorsementOfALivingContextMustFit() throws IOException {
    try (SoapCaller caller = caller()) {
      SecurityContext context = caller.context(SoapVersion.SOAP_1_1);
      String message = message(ada, renew(context));
      assertRefused(post(endorsed(message, context.identifier(), main(message))), "signature");
      assertRefused(
          post(endorsed(message, "urn:uuid:99999999-9999-4999-8999-999999999999", "st-body")),
          "policy");
      assertThat(post(message).statusCode()).as(gateway.audit()).isEqualTo(200);
    }
  }

  /** Nobody can verify it, and nothing follows from it. */
  @Test
  void endorsementOfAnEndedContextChangesNothing() throws IOException {
    try (SoapCaller caller = caller()) {
      SecurityContext context = caller.context(SoapVersion.SOAP_1_1);
      String unknown = "urn:uuid:99999999-9999-4999-8999-999999999999";
      String theirs = message(mallory, renew(context));
      assertRefused(post(endorsed(theirs, unknown, main(theirs))), "context");
      String own = message(ada, renew(context));
      HttpResponse<String> answer = post(endorsed(own, unknown, main(own)));
      assertThat(answer.statusCode()).as(gateway.audit()).isEqualTo(200);
    }
  }

  @Test
  void contextInTheHeaderOfAnythingButARenewalIsRefused() throws IOException {
    try (SoapCaller caller = caller()) {
      SecurityContext context = caller.context(SoapVersion.SOAP_1_1);
      String issue =
          message(
              ada,
              new TokenRequest.Issue(
                  TrustVersion.OASIS, null, TrustVersion.OASIS, null, 256, entropy(), null));
      String endorsed = endorsed(issue, context.identifier(), main(issue));
      assertRefused(post(endorsed, TrustAction.Kind.ISSUE), "policy");
    }
  }
}
