package dev.staithe.wss.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.KeyDerivation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.wss.stream.StreamEngine;
import dev.staithe.xml.SoapVersion;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of the streaming engine, whole and wrong in one thing. */
class AnswerReaderTests {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final String ANSWER =
      "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>"
          + "<answer xmlns='urn:t'>heard</answer></s:Body></s:Envelope>";
  @TempDir static Path folder;
  private static Credential client;
  private static Credential service;

  /** One exchange: what was sent, what came back, and what it is judged by. */
  private record Exchange(
      EndpointPolicy policy, SecuredRequest request, byte[] answer, AnswerReader reader) {
    SoapResponse judged(String changed) {
      return reader.read(changed.getBytes(StandardCharsets.UTF_8), request);
    }

    String text() {
      return new String(answer, StandardCharsets.UTF_8);
    }
  }

  @BeforeAll
  static void make() {
    var authority = ThrowAwayAuthority.in(folder, CLOCK);
    client = authority.host(request("client")).credential();
    service = authority.host(request("service")).credential();
  }

  private static HostCertificateRequest request(String name) {
    return new HostCertificateRequest(List.of(name), KeyKind.RSA_2048, Duration.ofDays(1));
  }

  private static Exchange exchange(String name) throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy(name, AlgorithmList.MODERN);
    Instant now = CLOCK.instant();
    var context =
        new SecurityContext(
            "urn:uuid:c",
            null,
            Namespaces.SC_13,
            "e",
            policy.version(),
            new Caller.Anonymous(),
            now,
            now.plusSeconds(600),
            new byte[32]);
    var surroundings =
        new Surroundings(
            () -> service, new Known(), (identifier, instance) -> context, new Nobody(), CLOCK);
    var engine = new StreamEngine(surroundings);
    var holder = Holder.of(client, service.certificate());
    var initiator = new Initiator(policy, holder, name.equals("x509") ? null : context, CLOCK);
    SecuredRequest request =
        initiator.secure(
            PlainRequest.of(
                SoapVersion.SOAP_1_1, "urn:a", "http://localhost/e", "<q xmlns=\"urn:t\"></q>"));
    var expectation =
        new Expectation("e", policy, AlgorithmList.MODERN, Expectation.Limits.DEFAULT, false);
    Opening opening =
        engine.open(new Arrival(request.envelope(), expectation, Arrival.TransportFacts.PLAIN));
    assertThat(opening).isInstanceOf(Opening.Opened.class);
    Sealing sealing =
        new AnswerWriter(surroundings)
            .protect(
                new Departure(
                    ANSWER.getBytes(StandardCharsets.UTF_8),
                    ((Opening.Opened) opening).reply(),
                    expectation));
    assertThat(sealing).isInstanceOf(Sealing.Sealed.class);
    return new Exchange(
        policy,
        request,
        ((Sealing.Sealed) sealing).envelope(),
        new AnswerReader(policy, holder, CLOCK));
  }

  private static final class Known implements Surroundings.Signers {
    @Override
    public Surroundings.Judgement judge(List<java.security.cert.X509Certificate> chain) {
      return new Surroundings.Judgement.Trusted(new Caller.Certificate("/CN=client", chain));
    }
  }

  private static final class Nobody implements Surroundings.Passwords {
    @Override
    public boolean check(String username, char[] password) {
      return false;
    }

    @Override
    public byte @Nullable [] of(String username) {
      return null;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation"})
  void anAnswerIsReadAsItWasWritten(String policy) throws Exception {
    Exchange exchange = exchange(policy);
    assertThat(exchange.judged(exchange.text()))
        .isInstanceOfSatisfying(
            SoapResponse.Message.class,
            it -> {
              assertThat(it.payload()).isEqualTo("<answer xmlns=\"urn:t\">heard</answer>");
              assertThat(it.envelope()).doesNotContain("Signature").contains("heard");
            });
  }

  @Test
  void prefixOfATextStaysDeclared() {
    var reader =
        new AnswerReader(
            BuiltInPolicies.policy("none", AlgorithmList.MODERN), Holder.NOBODY, CLOCK);
    String answer =
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/' xmlns:x='urn:x'><s:Body>"
            + "<answer xmlns='urn:t'>x:topic</answer></s:Body></s:Envelope>";

    assertThat(reader.read(answer.getBytes(StandardCharsets.UTF_8), new Reply.Keys.None()))
        .isInstanceOfSatisfying(
            SoapResponse.Message.class,
            it ->
                assertThat(it.payload())
                    .isEqualTo("<answer xmlns=\"urn:t\" xmlns:x=\"urn:x\">x:topic</answer>"));
  }

  /** Whatever is changed on its way, nothing else than what was sent is believed. */
  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation"})
  void everyPlaceOfAnAnswerThatIsChangedIsDoubtedOrMeansNothing(String policy) throws Exception {
    Exchange exchange = exchange(policy);
    String text = exchange.text();
    int doubted = 0;
    for (int at = 0; at < text.length(); at += 3) {
      char other = text.charAt(at) == 'A' ? 'B' : 'A';
      SoapResponse heard = exchange.judged(text.substring(0, at) + other + text.substring(at + 1));
      switch (heard) {
        case SoapResponse.Message answer ->
            assertThat(answer.payload())
                .as("place " + at)
                .isEqualTo("<answer xmlns=\"urn:t\">heard</answer>");
        case SoapResponse.Fault fault -> assertThat(fault.secured()).as("place " + at).isFalse();
        case SoapResponse.Untrusted _ -> doubted++;
      }
    }
    assertThat(doubted).isGreaterThan(text.length() / 4);
  }

  @Test
  void whatIsNoProtectedAnswerIsDoubted() throws Exception {
    Exchange exchange = exchange("conversation");
    String text = exchange.text();
    String security =
        text.substring(text.indexOf("<wsse:Security"), text.indexOf("</wsse:Security>") + 16);
    for (String each :
        List.of(
            "",
            "hello",
            "<a/>",
            ANSWER,
            text.replace(security, ""),
            text.replace(security, security + security),
            text.replaceFirst("<ds:Signature.*</ds:Signature>", ""),
            text.replaceFirst("<wsu:Timestamp.*</wsu:Timestamp>", ""),
            text.replaceFirst("<ds:Reference.*?</ds:Reference>", ""),
            text.replaceFirst("<soap:Body.*</soap:Body>", "<soap:Body/>"),
            new String(exchange.request().envelope(), StandardCharsets.UTF_8))) {
      assertThat(exchange.judged(each)).as(each).isInstanceOf(SoapResponse.Untrusted.class);
    }
  }

  /** The length of a derived key is not signed: whoever is on the way could try all short ones. */
  @Test
  void answerThatIsSignedByAKeyShortEnoughToBeGuessedIsDoubted() throws Exception {
    Exchange exchange = exchange("conversation");
    int usual = exchange.policy().suite().signatureKeyBytes();

    assertThat(exchange.judged(signedByAKeyOf(usual, exchange)))
        .isInstanceOf(SoapResponse.Message.class);
    for (int length : new int[] {0, 1, 15}) {
      assertThat(exchange.judged(signedByAKeyOf(length, exchange)))
          .isEqualTo(
              new SoapResponse.Untrusted(
                  "the answer derives keys that are short enough to be guessed"));
    }
  }

  private static String signedByAKeyOf(int length, Exchange exchange) throws Exception {
    String text = exchange.text();
    int token = text.lastIndexOf("<wsc:DerivedKeyToken", text.indexOf("<ds:Signature "));
    String derived = text.substring(token);
    byte[] nonce = Base64.getDecoder().decode(between(derived, "<wsc:Nonce>", "</wsc:Nonce>"));
    // A key of no bytes at all cannot be computed.
    byte[] key = KeyDerivation.P_SHA1.derive(new byte[32], nonce, 0, Math.max(1, length));
    byte[] signed =
        ("<ds:SignedInfo xmlns:ds=\""
                + Namespaces.DS
                + "\">"
                + between(derived, "<ds:SignedInfo>", "</ds:SignedInfo>")
                + "</ds:SignedInfo>")
            .getBytes(StandardCharsets.UTF_8);
    byte[] value =
        Primitives.mac(
            exchange.policy().suite().symmetricSignature(), key, signed, 0, signed.length);
    return text.substring(0, token)
        + derived
            .replaceFirst("<wsc:Length>[0-9]+<", "<wsc:Length>" + length + "<")
            .replace(
                between(derived, "<ds:SignatureValue>", "</ds:SignatureValue>"),
                Base64.getEncoder().encodeToString(value));
  }

  private static String between(String text, String start, String end) {
    int from = text.indexOf(start) + start.length();
    return text.substring(from, text.indexOf(end, from));
  }

  @Test
  void answerThatDoesNotSayUntilWhenIsGoodForMinutes() {
    Instant now = CLOCK.instant();
    assertThat(underTls(created(now.minusSeconds(240)))).isInstanceOf(SoapResponse.Message.class);
    assertThat(underTls(created(now.minusSeconds(420))))
        .isEqualTo(new SoapResponse.Untrusted("the answer has expired"));
    assertThat(underTls(""))
        .isEqualTo(new SoapResponse.Untrusted("the timestamp of the answer is empty"));
  }

  private static String created(Instant at) {
    return "<u:Created>" + at + "</u:Created>";
  }

  private static SoapResponse underTls(String times) {
    String header =
        "<s:Header><w:Security xmlns:w='"
            + Namespaces.WSSE
            + "' xmlns:u='"
            + Namespaces.WSU
            + "'><u:Timestamp>"
            + times
            + "</u:Timestamp></w:Security></s:Header>";
    return new AnswerReader(
            BuiltInPolicies.policy("transport", AlgorithmList.MODERN), Holder.NOBODY, CLOCK)
        .read(
            ANSWER.replace("<s:Body>", header + "<s:Body>").getBytes(StandardCharsets.UTF_8),
            new Reply.Keys.None());
  }

  /** Who cannot open a request cannot protect the fault. */
  @Test
  void aFaultWithoutProtectionIsToldAsOne() throws Exception {
    String fault =
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><s:Fault>"
            + "<faultcode>w:InvalidSecurity</faultcode><faultstring>no</faultstring>"
            + "</s:Fault></s:Body></s:Envelope>";
    assertThat(exchange("conversation").judged(fault))
        .isEqualTo(new SoapResponse.Fault(SoapVersion.SOAP_1_1, "InvalidSecurity", "no", false));
  }
}
