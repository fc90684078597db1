package dev.staithe.wss.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.EndpointPolicy.Layout;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.xml.SoapVersion;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers by every kind of key and in every order, and what is taken away from them or put in. */
class AnswersInEveryOrderTests {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final String PAYLOAD = "<answer xmlns=\"urn:t\">heard</answer>";
  private static final List<String> KEYS =
      List.of("x509", "conversation", "encrypted-key", "username");

  @TempDir static Path folder;
  private static Credential client;
  private static Credential service;

  @BeforeAll
  static void makeKeys() {
    var authority = ThrowAwayAuthority.in(folder, CLOCK);
    client = authority.host(request("client")).credential();
    service = authority.host(request("service")).credential();
  }

  private static HostCertificateRequest request(String name) {
    return new HostCertificateRequest(List.of(name), KeyKind.RSA_2048, Duration.ofDays(1));
  }

  /** What an answer is protected by, and how it is read. */
  private record Exchange(EndpointPolicy policy, SecuredRequest request, AnswerReader reader) {
    /** The client's answer is encrypted for the client. */
    Reply reply(List<byte[]> confirmed) {
      Reply.Keys keys =
          request.keys() instanceof Reply.Keys.ToCertificate
              ? new Reply.Keys.ToCertificate(client.certificate())
              : request.keys();
      return new Reply(request.version(), keys, confirmed, request.messageId());
    }

    String answer(String plain) {
      return answer(plain, CLOCK, service, request.signatures());
    }

    String answer(String plain, Clock clock, Credential own, List<byte[]> confirmed) {
      Sealing sealing =
          new AnswerWriter(surroundings(own, clock))
              .protect(
                  new Departure(
                      plain.getBytes(StandardCharsets.UTF_8),
                      reply(confirmed),
                      new Expectation(
                          "e", policy, AlgorithmList.MODERN, Expectation.Limits.DEFAULT, false)));
      assertThat(sealing).isInstanceOf(Sealing.Sealed.class);
      return new String(((Sealing.Sealed) sealing).envelope(), StandardCharsets.UTF_8);
    }

    SoapResponse read(String answer) {
      return reader.read(answer.getBytes(StandardCharsets.UTF_8), request);
    }
  }

  private static Surroundings surroundings(Credential own, Clock clock) {
    return new Surroundings(
        () -> own,
        chain -> new Surroundings.Judgement.Untrusted("nobody is asked"),
        (identifier, instance) -> null,
        new Surroundings.Passwords() {
          @Override
          public boolean check(String username, char[] password) {
            return false;
          }

          @Override
          public byte @Nullable [] of(String username) {
            return null;
          }
        },
        clock);
  }

  private static EndpointPolicy policy(
      String name, boolean first, boolean hidden, Layout layout, boolean confirmed) {
    return policy(name, first, hidden, layout, confirmed, false);
  }

  /** Addressing is demanded, and no confirmed signature. */
  private static EndpointPolicy addressed(String name) {
    return policy(name, false, false, Layout.LAX, false, true);
  }

  private static EndpointPolicy policy(
      String name,
      boolean first,
      boolean hidden,
      Layout layout,
      boolean confirmed,
      boolean addressing) {
    EndpointPolicy known = BuiltInPolicies.policy(name, AlgorithmList.MODERN);
    return new EndpointPolicy(
        known.version(),
        known.securityPolicy(),
        known.binding(),
        known.suite(),
        true,
        first,
        hidden,
        known.entireHeadersAndBody(),
        layout,
        known.signed(),
        known.encrypted(),
        List.of(),
        confirmed,
        known.clientEntropy(),
        known.serverEntropy(),
        addressing);
  }

  private static Exchange exchange(EndpointPolicy policy, SoapVersion version) throws Exception {
    Instant now = CLOCK.instant();
    SecurityContext context =
        policy.binding() instanceof Binding.Conversation
            ? new SecurityContext(
                "urn:uuid:c?a=1&b=<2>",
                "key \"two\"",
                Namespaces.SC_13,
                "e",
                policy.version(),
                new Caller.Anonymous(),
                now,
                now.plusSeconds(600),
                Primitives.random(32))
            : null;
    var holder =
        new Holder(
            client,
            service.certificate(),
            "ada & \"bob\" <x>",
            "secret".getBytes(StandardCharsets.UTF_8),
            null);
    SecuredRequest request =
        new Initiator(policy, holder, context, CLOCK)
            .secure(PlainRequest.of(version, "urn:a", "http://localhost/e", "<q></q>"));
    return new Exchange(policy, request, new AnswerReader(policy, holder, CLOCK));
  }

  private static Exchange exchange(String name) throws Exception {
    return exchange(policy(name, false, false, Layout.LAX, true), SoapVersion.SOAP_1_1);
  }

  private static String plain(SoapVersion version, String header, String body) {
    return "<s:Envelope xmlns:s='"
        + version.namespace()
        + "'><s:Header>"
        + header
        + "</s:Header><s:Body>"
        + body
        + "</s:Body></s:Envelope>";
  }

  private static String plain() {
    return plain(SoapVersion.SOAP_1_1, "", PAYLOAD);
  }

  static Stream<Arguments> orders() {
    var all = new ArrayList<Arguments>();
    for (String name : KEYS) {
      for (boolean first : new boolean[] {false, true}) {
        for (boolean hidden : new boolean[] {false, true}) {
          for (Layout layout : Layout.values()) {
            all.add(Arguments.of(name, first, hidden, layout));
          }
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("orders")
  void answerIsBelievedAndIsWhatWasSaid(String name, boolean first, boolean hidden, Layout layout)
      throws Exception {
    for (SoapVersion version : SoapVersion.values()) {
      Exchange exchange = exchange(policy(name, first, hidden, layout, true), version);
      String answer = exchange.answer(plain(version, "", PAYLOAD));
      assertThat(answer.contains("heard")).isFalse();
      assertThat(answer.contains("SignatureValue")).isEqualTo(!hidden);
      String security = answer.substring(answer.indexOf("mustUnderstand=\"1\">") + 19);
      assertThat(security.startsWith("<wsu:Timestamp"))
          .isEqualTo(layout != Layout.LAX_TIMESTAMP_LAST);
      assertThat(security.contains("</wsu:Timestamp></wsse:Security>"))
          .isEqualTo(layout == Layout.LAX_TIMESTAMP_LAST);
      assertThat(exchange.read(answer))
          .isInstanceOfSatisfying(
              SoapResponse.Message.class, it -> assertThat(it.payload()).isEqualTo(PAYLOAD));
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void twoAnswersOfTheSameAreNotTheSame(String name, boolean first, boolean hidden, Layout layout)
      throws Exception {
    Exchange exchange = exchange(policy(name, first, hidden, layout, false), SoapVersion.SOAP_1_2);
    String plain = plain(SoapVersion.SOAP_1_2, "", PAYLOAD);
    String one = exchange.answer(plain);
    String other = exchange.answer(plain);
    assertThat(cipher(one)).isNotEqualTo(cipher(other));
    assertThat(exchange.read(one)).isInstanceOf(SoapResponse.Message.class);
    assertThat(exchange.read(other)).isInstanceOf(SoapResponse.Message.class);
  }

  private static String cipher(String answer) {
    int at = answer.lastIndexOf("<xenc:CipherValue>");
    return answer.substring(at, answer.indexOf('<', at + 1));
  }

  private static void doubted(Exchange exchange, String answer) {
    assertThat(exchange.read(answer)).as(answer).isInstanceOf(SoapResponse.Untrusted.class);
  }

  private static String without(String text, String from, String to) {
    int at = text.indexOf(from);
    assertThat(at).as(from).isNotNegative();
    return text.substring(0, at) + text.substring(text.indexOf(to, at) + to.length());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation", "encrypted-key", "username"})
  void answerThatSomethingIsTakenFromIsDoubted(String name) throws Exception {
    Exchange exchange = exchange(name);
    String answer = exchange.answer(plain());
    for (String[] each :
        new String[][] {
          {"<wsu:Timestamp", "</wsu:Timestamp>"},
          {"<ds:Signature ", "</ds:Signature>"},
          {"<ds:Reference", "</ds:Reference>"},
          {
            "<ds:DigestMethod Algorithm=\"" + exchange.policy().suite().digest(),
            "</ds:DigestMethod>"
          },
          {"<ds:SignatureMethod", "</ds:SignatureMethod>"},
          {"<ds:CanonicalizationMethod", "</ds:CanonicalizationMethod>"},
          {"<ds:Transforms", "</ds:Transforms>"},
          {"<wsse11:SignatureConfirmation", "</wsse11:SignatureConfirmation>"},
          {"<wsse:Security", "</wsse:Security>"},
          {"<xenc:EncryptionMethod", "</xenc:EncryptionMethod>"},
        }) {
      doubted(exchange, without(answer, each[0], each[1]));
    }
    int body = answer.indexOf("<xenc:EncryptedData");
    doubted(
        exchange,
        answer.substring(0, body)
            + PAYLOAD
            + answer.substring(answer.indexOf("</xenc:EncryptedData>") + 21));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation", "encrypted-key", "username"})
  void answerByOtherAlgorithmsThanThePolicysIsDoubted(String name) throws Exception {
    Exchange exchange = exchange(name);
    String answer = exchange.answer(plain());
    var suite = exchange.policy().suite();
    List<UnaryOperator<String>> changes =
        List.of(
            it -> it.replace("\"" + suite.digest() + "\"", "\"" + Namespaces.XENC + "sha512\""),
            it -> it.replace("\"" + suite.symmetricSignature() + "\"", "\"urn:none\""),
            it -> it.replace("\"" + suite.asymmetricSignature() + "\"", "\"urn:none\""),
            it -> it.replace("\"" + suite.encryption() + "\"", "\"" + Namespaces.XENC + "none\""),
            it -> it.replace("\"" + suite.keyTransport() + "\"", "\"urn:none\""),
            it -> it.replace("\"" + Namespaces.EXC_C14N + "\"", "\"urn:none\""),
            it -> it.replace("/dk/p_sha1\"", "/dk/none\""),
            it -> it.replace("<wsc:Length>", "<wsc:Length>9"),
            it -> it.replace("<wsc:Offset>0", "<wsc:Offset>999"),
            it -> it.replace("<wsc:Offset>0", "<wsc:Offset>-1"),
            it -> it.replace("<wsc:Nonce>", "<wsc:Nonce>" + "AAAA".repeat(30)),
            it -> it.replace("</ds:SignatureMethod>", "<x/></ds:SignatureMethod>"),
            it ->
                it.replaceFirst(
                    "</ds:Transform></ds:Transforms>",
                    "</ds:Transform><ds:Transform Algorithm=\"urn:x\"/></ds:Transforms>"));
    int changed = 0;
    for (UnaryOperator<String> each : changes) {
      String other = each.apply(answer);
      if (!other.equals(answer)) {
        changed++;
        doubted(exchange, other);
      }
    }
    assertThat(changed).isGreaterThanOrEqualTo(7);
  }

  /** They are compared with all that is declared before it is known whose signature it is. */
  @Test
  void signatureThatListsPrefixesWithoutEndIsNotLookedInto() throws Exception {
    Exchange exchange = exchange("conversation");
    String answer = exchange.answer(plain());
    var prefixes = new StringBuilder("p");
    for (int i = 0; i < 512; i++) {
      prefixes.append(" p").append(i);
    }
    String list =
        "<ec:InclusiveNamespaces xmlns:ec=\""
            + Namespaces.EXC_C14N
            + "\" PrefixList=\""
            + prefixes
            + "\"/>";

    String end = "</ds:CanonicalizationMethod>";
    assertThat(answer).contains(end);
    assertThat(exchange.read(answer.replaceFirst(end, list + end)))
        .isEqualTo(
            new SoapResponse.Untrusted("the signature of the answer lists too many prefixes"));
  }

  /** Each is decrypted and read before it is known who encrypted it. */
  @Test
  void answerOfEncryptedPartsWithoutEndIsNotOpened() throws Exception {
    Exchange exchange = exchange("conversation");
    String answer = exchange.answer(plain());
    String end = "</xenc:EncryptedData>";
    int from = answer.indexOf("<xenc:EncryptedData");
    String part = answer.substring(from, answer.indexOf(end, from) + end.length());

    assertThat(
            exchange.read(
                answer.replace("</wsse:Security>", part.repeat(257) + "</wsse:Security>")))
        .isEqualTo(new SoapResponse.Untrusted("the answer has too many encrypted parts"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation", "encrypted-key", "username"})
  void answerFromAnotherTimeIsDoubted(String name) throws Exception {
    Exchange exchange = exchange(name);
    for (Duration off : List.of(Duration.ofMinutes(-7), Duration.ofMinutes(2))) {
      doubted(
          exchange,
          exchange.answer(
              plain(), Clock.offset(CLOCK, off), service, exchange.request().signatures()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation", "encrypted-key", "username"})
  void answerToAnotherRequestIsDoubted(String name) throws Exception {
    Exchange exchange = exchange(name);
    doubted(
        exchange,
        exchange.answer(
            plain(), CLOCK, service, List.of("another".getBytes(StandardCharsets.UTF_8))));
    doubted(exchange, exchange.answer(plain(), CLOCK, service, List.of()));
    String related = relation("urn:uuid:another", "");
    doubted(exchange, exchange.answer(plain(SoapVersion.SOAP_1_1, related, PAYLOAD)));
    String reflected = "<w:MessageID xmlns:w='" + Namespaces.WSA + "'>urn:uuid:m</w:MessageID>";
    doubted(exchange, exchange.answer(plain(SoapVersion.SOAP_1_1, reflected, PAYLOAD)));
    doubted(exchange, new String(exchange.request().envelope(), StandardCharsets.UTF_8));
    doubted(exchange, exchange(name).answer(plain()));
  }

  /** Where signatures are not confirmed nothing else ties an answer to its request. */
  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation", "encrypted-key", "username"})
  void answerThatDoesNotSayToWhichRequestIsDoubtedWhereAddressingIsDemanded(String name)
      throws Exception {
    Exchange exchange = exchange(addressed(name), SoapVersion.SOAP_1_1);
    String own = exchange.request().messageId();
    String fault = "<s:Fault><faultcode>s:Server</faultcode><faultstring/></s:Fault>";
    doubted(exchange, exchange.answer(plain()));
    doubted(exchange, exchange.answer(plain(SoapVersion.SOAP_1_1, "", fault)));
    for (String header :
        List.of(
            relation("urn:uuid:another", ""),
            relation(own, "urn:other"),
            relation(own, "") + relation("urn:uuid:another", ""),
            relation("urn:uuid:another", "") + relation(own, ""))) {
      doubted(exchange, exchange.answer(plain(SoapVersion.SOAP_1_1, header, PAYLOAD)));
    }
    for (String header :
        List.of(
            relation(own, ""),
            relation(own, Namespaces.WSA + "/reply"),
            relation(own, "") + relation("urn:uuid:another", "urn:other"))) {
      assertThat(exchange.read(exchange.answer(plain(SoapVersion.SOAP_1_1, header, PAYLOAD))))
          .as(header)
          .isInstanceOf(SoapResponse.Message.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation", "encrypted-key", "username"})
  void answerThatIsAddressedSaysToWhichRequestUnderEveryPolicy(String name) throws Exception {
    Exchange exchange =
        exchange(policy(name, false, false, Layout.LAX, false), SoapVersion.SOAP_1_1);
    String action = "<w:Action xmlns:w='" + Namespaces.WSA + "'>urn:done</w:Action>";
    doubted(exchange, exchange.answer(plain(SoapVersion.SOAP_1_1, action, PAYLOAD)));
    assertThat(exchange.read(exchange.answer(plain())))
        .as("a service that knows nothing of addressing")
        .isInstanceOf(SoapResponse.Message.class);
  }

  private static String relation(String id, String type) {
    return "<w:RelatesTo xmlns:w='"
        + Namespaces.WSA
        + "'"
        + (type.isEmpty() ? "" : " RelationshipType='" + type + "'")
        + ">"
        + id
        + "</w:RelatesTo>";
  }

  @Test
  void answerThatAnotherServiceSignedIsDoubted() throws Exception {
    Exchange exchange = exchange("x509");
    doubted(exchange, exchange.answer(plain(), CLOCK, client, exchange.request().signatures()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation", "encrypted-key", "username"})
  void blockThatNobodySignedIsLeftOutAndSignedOnesStay(String name) throws Exception {
    Exchange exchange = exchange(name);
    String action = "<w:Action xmlns:w='" + Namespaces.WSA + "'>urn:done</w:Action>";
    String related = relation(exchange.request().messageId(), "");
    String answer = exchange.answer(plain(SoapVersion.SOAP_1_1, action + related, PAYLOAD));
    String stuffed =
        answer.replaceFirst("(<[a-z]+:Header>)", "$1<evil xmlns='urn:e'>urn:stuffed</evil>");
    assertThat(stuffed).isNotEqualTo(answer);
    assertThat(exchange.read(stuffed))
        .isInstanceOfSatisfying(
            SoapResponse.Message.class,
            it -> assertThat(it.envelope()).contains("urn:done").doesNotContain("urn:stuffed"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation", "encrypted-key", "username"})
  void faultUnderProtectionIsToldAsOne(String name) throws Exception {
    Exchange exchange = exchange(name);
    String fault =
        "<s:Fault><faultcode>s:Server</faultcode><faultstring>not today</faultstring></s:Fault>";
    assertThat(exchange.read(exchange.answer(plain(SoapVersion.SOAP_1_1, "", fault))))
        .isEqualTo(new SoapResponse.Fault(SoapVersion.SOAP_1_1, "Server", "not today", true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation", "encrypted-key", "username"})
  void bodyOfAnySizeComesWhole(String name) throws Exception {
    Exchange exchange = exchange(name);
    for (int size : new int[] {0, 1, 15, 16, 17, 49_151, 49_152, 49_153, 300_000}) {
      String payload = "<a xmlns=\"urn:t\">" + "x".repeat(size) + "</a>";
      assertThat(exchange.read(exchange.answer(plain(SoapVersion.SOAP_1_1, "", payload))))
          .isInstanceOfSatisfying(
              SoapResponse.Message.class, it -> assertThat(it.payload()).isEqualTo(payload));
    }
  }

  /** A service whose own certificate is not needed has perhaps none. */
  @ParameterizedTest
  @ValueSource(strings = {"conversation", "encrypted-key", "username"})
  void ownCertificateIsNotAskedForUnderSharedKeys(String name) throws Exception {
    Exchange exchange = exchange(name);
    var writer =
        new AnswerWriter(
            new Surroundings(
                () -> {
                  throw new AssertionError("there is none");
                },
                chain -> new Surroundings.Judgement.Untrusted(""),
                (identifier, instance) -> null,
                surroundings(service, CLOCK).passwords(),
                CLOCK));
    assertThat(
            writer.protect(
                new Departure(
                    plain().getBytes(StandardCharsets.UTF_8),
                    exchange.reply(List.of()),
                    new Expectation(
                        "e",
                        exchange.policy(),
                        AlgorithmList.MODERN,
                        Expectation.Limits.DEFAULT,
                        false))))
        .isInstanceOf(Sealing.Sealed.class);
  }

  @Test
  void certificateOfTheHolderIsNoBusinessOfAnybodyElse() {
    X509Certificate own = client.certificate();
    assertThat(Holder.of(client, service.certificate()).toString())
        .isEqualTo("Holder")
        .doesNotContain(own.getSubjectX500Principal().getName());
    assertThat(new Reply.Keys.None()).isNotNull();
    assertThat(new Reply(SoapVersion.SOAP_1_1, new Reply.Keys.None(), List.of(), null).toString())
        .isEqualTo("Reply[None]");
  }
}
