package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import dev.staithe.testkit.Trials;
import dev.staithe.wss.Arrival;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.wss.stream.StreamEngine;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.apache.wss4j.dom.WSConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The streaming engine and the one on the document tree say the same of every message: of those
 * that WSS4J and our own client write, and of each of them in hundreds of wrong forms.
 */
final class EnginesAgreeTests {
  private static final String CONTENT =
      """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:t="urn:types" \
      xmlns="urn:default">
        <s:Header><wsa:Action xmlns:wsa="http://www.w3.org/2005/08/addressing">urn:echo</wsa:Action>
        <wsa:MessageID xmlns:wsa="http://www.w3.org/2005/08/addressing">urn:uuid:1</wsa:MessageID>
        <wsa:To xmlns:wsa="http://www.w3.org/2005/08/addressing">https://gw.example/echo</wsa:To>
        <n:note xmlns:n="urn:note" b="2" a="1">not &gt; signed</n:note></s:Header>
        <s:Body a="x"><say xmlns:o="urn:other"><word \
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="t:word" \
      o:q="tab&#9;end&#13;">hé&lt;&amp;&gt;&#13;&#x1F600;</word><o:inner o:e="1"/>\
      <none xmlns=""/><![CDATA[<&>]]></say></s:Body>
      </s:Envelope>""";

  private static final String ELSEWHERE = "<a:Address> http://attacker/ </a:Address>";

  /** Of two addresses a service may take the last. */
  private static final String TWICE =
      "<a:Address>http://www.w3.org/2005/08/addressing/anonymous</a:Address>" + ELSEWHERE;

  /** What is not streamed, and left to the other engine; nothing else may be. */
  static final List<String> LEFT =
      List.of(
          "a certificate that cannot be read",
          "a certificate that is not known here",
          "a context token of another shape",
          "a context token without an identifier",
          "a derivation from nothing",
          "a derived key of another shape",
          "a key identifier of another kind",
          "a key that is encrypted for somebody else, or otherwise",
          "a key that is named twice",
          "a key that is not named by reference",
          "a part that is signed twice",
          "a reference of another form",
          "a reference of another shape",
          "a reference that is no identifier",
          "a reference to another kind of token",
          "a reference to more than one token",
          "a security token of another kind",
          "a signature of another shape",
          "a signed part elsewhere",
          "a timestamp of another shape",
          "an empty reference",
          "an encrypted header block",
          "an encrypted key of another shape",
          "another function of derivation",
          "another token, or one more",
          "another transform than exclusive canonicalization",
          "data of X.509 of another shape",
          "elements where text is expected",
          "encrypted data elsewhere",
          "encrypted data of another shape",
          "encrypted data of another type",
          "encrypted data that is empty",
          "encrypted data under another kind of key",
          "encrypted data without a key",
          "encrypted data without a method",
          "more than encrypted data in the body",
          "more than one context",
          "more than the body encrypted",
          "not in base 64",
          "other parameters of OAEP",
          "parameters of a signature's method",
          "parameters of canonicalization of another shape",
          "parameters of encryption",
          "prefixes in content that canonical form does not declare",
          "references and encrypted data that do not meet",
          "signed information of another shape");

  /** A message of which the wrong forms are made. */
  record Sample(String name, EndpointPolicy policy, byte[] message) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Parties PARTIES = new Parties();

  /** Where its samples' contexts are known. */
  static Surroundings surroundings() {
    return PARTIES.surroundings();
  }

  private interface Setting {
    void set(Initiator initiator);
  }

  static Stream<Sample> samples() throws Exception {
    List<Sample> all = new ArrayList<>();
    for (var suite : List.of(Policies.MODERN, Policies.INTEROP, Policies.STRONG)) {
      EndpointPolicy x509 = Policies.asymmetric().withSuite(suite).policy();
      EndpointPolicy context = Policies.conversation().withSuite(suite).policy();
      wss4j(all, "x509 " + suite.name(), x509, each -> {});
      wss4j(all, "conversation " + suite.name(), context, each -> {});
      client(all, "client, x509 " + suite.name(), x509);
      client(all, "client, conversation " + suite.name(), context);
    }
    EndpointPolicy x509 = Policies.asymmetric().policy();
    for (int reference :
        List.of(
            WSConstants.THUMBPRINT_IDENTIFIER,
            WSConstants.SKI_KEY_IDENTIFIER,
            WSConstants.ISSUER_SERIAL)) {
      wss4j(all, "signer by " + reference, x509, each -> each.signatureReference = reference);
      wss4j(all, "recipient by " + reference, x509, each -> each.keyReference = reference);
    }
    wss4j(all, "path", x509, each -> each.single = false);
    EndpointPolicy signedOnly = Policies.asymmetric().encrypting(Parts.NONE).policy();
    wss4j(all, "signed only", signedOnly, each -> {});
    wss4j(all, "without prefixes", signedOnly, each -> each.inclusive = false);
    wss4j(
        all,
        "elliptic curve",
        signedOnly,
        each -> {
          each.credential = Parties.CURVED_CLIENT;
          each.signatureAlgorithm = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256";
        });
    wss4j(all, "stranger", x509, each -> each.credential = Parties.STRANGER);
    for (String part : List.of("Body", "Timestamp", "To")) {
      wss4j(all, "unsigned " + part, x509, each -> each.leaveUnsigned = List.of(part));
    }
    wss4j(all, "plain body", x509, each -> each.leavePlain = true);
    wss4j(all, "stale", x509, each -> each.created = Instant.parse("2026-01-01T00:00:00Z"));
    wss4j(all, "from the future", x509, each -> each.created = Instant.now().plusSeconds(600));
    EndpointPolicy context = Policies.conversation().policy();
    wss4j(all, "context not repeated", context, each -> each.attached = false);
    wss4j(all, "confirming", Policies.conversation().confirming().policy(), each -> {});
    wss4j(
        all,
        "timestamp last",
        Policies.conversation().layout(EndpointPolicy.Layout.LAX_TIMESTAMP_LAST).policy(),
        each -> {});
    wss4j(
        all,
        "timestamp not first",
        Policies.conversation().layout(EndpointPolicy.Layout.LAX_TIMESTAMP_FIRST).policy(),
        each -> {});
    all.add(
        new Sample(
            "february 2005",
            context,
            new Initiator(context).secure(CONTENT, PARTIES.context(context, Namespaces.SC_2005))));
    EndpointPolicy direct =
        Policies.of(new Binding.Conversation(false, x509, true, true))
            .withSuite(Policies.STRONG)
            .policy();
    all.add(
        new Sample(
            "context itself",
            direct,
            new Initiator(direct).secureDirectly(CONTENT, PARTIES.context(direct))));
    for (EndpointPolicy policy : List.of(x509, context)) {
      String of = policy == x509 ? "x509" : "conversation";
      addressed(all, "answers elsewhere, " + of, policy, Namespaces.WSA, ELSEWHERE);
      addressed(all, "two addresses, " + of, policy, Namespaces.WSA, TWICE);
      addressed(all, "no address, " + of, policy, Namespaces.WSA, "");
      addressed(all, "two namespaces, " + of, policy, Namespaces.WSA_2004, ELSEWHERE);
    }
    all.add(new Sample("nothing", x509, new byte[0]));
    all.add(new Sample("no XML", x509, "hello".getBytes(StandardCharsets.UTF_8)));
    all.add(new Sample("no security", x509, CONTENT.getBytes(StandardCharsets.UTF_8)));
    return all.stream();
  }

  private static void wss4j(List<Sample> all, String name, EndpointPolicy policy, Setting setting)
      throws Exception {
    wss4j(all, name, policy, CONTENT, setting);
  }

  private static void wss4j(
      List<Sample> all, String name, EndpointPolicy policy, String content, Setting setting)
      throws Exception {
    var initiator = new Initiator(policy);
    setting.set(initiator);
    byte[] message =
        policy.binding() instanceof Binding.Conversation
            ? initiator.secure(content, PARTIES.context(policy))
            : initiator.secure(content);
    all.add(new Sample(name, policy, message));
  }

  /** Says where answers and faults are wanted, and signs that. */
  private static void addressed(
      List<Sample> all, String name, EndpointPolicy policy, String namespace, String addresses)
      throws Exception {
    String blocks =
        """
        <a:ReplyTo xmlns:a="%1$s"><a:Address>%1$s/anonymous</a:Address></a:ReplyTo>\
        <a:FaultTo xmlns:a="%1$s">%2$s<a:Metadata/></a:FaultTo>"""
            .formatted(namespace, addresses);
    wss4j(
        all,
        name,
        policy,
        CONTENT.replace("</s:Header>", blocks + "</s:Header>"),
        each ->
            each.alsoSigned =
                List.of(new QName(namespace, "ReplyTo"), new QName(namespace, "FaultTo")));
  }

  /** What clocks may differ by is added to both times, and no room between them. */
  @ParameterizedTest
  @CsvSource({"10, opened", "-1, STALE", "-10, STALE"})
  void bothRefuseAMessageThatEndsBeforeItBegins(int lifetime, String verdict) throws Exception {
    for (EndpointPolicy policy :
        List.of(Policies.asymmetric().policy(), Policies.conversation().policy())) {
      List<Sample> made = new ArrayList<>();
      wss4j(made, "short", policy, each -> each.lifetime = lifetime);

      Both both = open(policy, made.getFirst().message(), now());

      for (Opening each : List.of(both.tree(), both.stream())) {
        assertThat(Verdict.of(each)).contains(verdict);
        Trials.held();
      }
    }
  }

  /** Or else both could agree in overlooking it. */
  @ParameterizedTest
  @MethodSource("samples")
  void bothSeeWhereFaultsAreWanted(Sample sample) {
    Both both = open(sample.policy(), sample.message(), now());
    for (Opening each : List.of(both.tree(), both.stream())) {
      String verdict = Verdict.of(each);
      switch (sample.name().substring(0, sample.name().indexOf(',') + 1)) {
        case "answers elsewhere," -> assertThat(verdict).contains("faultTo=http://attacker/");
        case "two addresses,", "no address," -> assertThat(verdict).contains("faultTo=]");
        case "two namespaces," -> assertThat(verdict).isEqualTo("refused: MALFORMED");
        default -> assertThat(verdict).doesNotContain("attacker");
      }
    }
  }

  private static void client(List<Sample> all, String name, EndpointPolicy policy)
      throws Exception {
    var initiator =
        new dev.staithe.wss.client.Initiator(
            policy,
            Holder.of(Parties.CLIENT, Parties.SERVICE.certificate()),
            policy.binding() instanceof Binding.Conversation ? PARTIES.context(policy) : null,
            Clock.systemUTC());
    byte[] message =
        initiator
            .secure(
                PlainRequest.read(
                    CONTENT.getBytes(StandardCharsets.UTF_8),
                    "urn:echo",
                    "https://gw.example/echo"))
            .envelope();
    all.add(new Sample(name, policy, message));
  }

  private record Both(Opening tree, Opening stream) {}

  private static Both open(EndpointPolicy policy, byte[] message, Clock clock) {
    PARTIES.at(clock);
    Arrival arrival = Parties.arrival(message, policy);
    return new Both(
        new DomEngine(PARTIES.surroundings()).open(arrival),
        new StreamEngine(PARTIES.surroundings()).open(arrival));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void bothSayTheSameOfAMessage(Sample sample) {
    Both both = open(sample.policy(), sample.message(), now());

    if (both.stream() instanceof Opening.Unknown(String shape)
        && shape.equals("prefixes in content that canonical form does not declare")) {
      // Only the tree writes what is passed on in another form than what was digested.
      return;
    }
    assertThat(Verdict.of(both.stream()))
        .as(new String(sample.message(), StandardCharsets.UTF_8))
        .isEqualTo(Verdict.of(both.tree()));
  }

  /** Of the shapes that are streamed, one each; {@link EveryWrongFormIT} takes all. */
  static Stream<Sample> few() throws Exception {
    List<String> names =
        List.of(
            "x509 Basic128GCM",
            "conversation Basic128GCM",
            "client, x509 Basic256GCM",
            "client, conversation Basic128",
            "without prefixes",
            "context not repeated");
    return samples().filter(each -> names.contains(each.name()));
  }

  @ParameterizedTest
  @MethodSource("few")
  void bothSayTheSameOfItsWrongForms(Sample sample) {
    compare(sample);
  }

  static void compare(Sample sample) {
    compare(sample, 1);
  }

  /**
   * Has both engines judge wrong forms of a message.
   *
   * @param every 1 for all of them, 3 for a third, another one for each message
   */
  static void compare(Sample sample, int every) {
    Clock clock = now();
    Map<String, String> differences = new TreeMap<>();
    Map<String, Integer> left = new TreeMap<>();
    int judged = 0;
    int seed = sample.name().hashCode();
    List<Mutations.Mutation> wrong = Mutations.of(sample.message(), 150, seed);
    for (int i = Math.floorMod(seed, every); i < wrong.size(); i += every) {
      Mutations.Mutation each = wrong.get(i);
      Both both = open(sample.policy(), each.message(), clock);
      if (both.stream() instanceof Opening.Unknown(String shape)) {
        left.merge(shape, 1, Integer::sum);
        continue;
      }
      judged++;
      if (!Verdict.of(both.stream()).equals(Verdict.of(both.tree()))) {
        differences.put(each.name(), detail(both.tree()) + " / " + detail(both.stream()));
      }
    }
    int byBoth = judged;
    assertAll(
        () -> assertThat(byBoth).as("wrong forms that both judged").isGreaterThan(150 / every),
        () -> assertThat(differences).as("tree / stream").isEmpty(),
        () -> assertThat(LEFT).containsAll(left.keySet()));
    Trials.held(judged);
  }

  private static String detail(Opening opening) {
    return opening instanceof Opening.Refused refused ? refused.toString() : Verdict.of(opening);
  }

  private static Clock now() {
    return Clock.fixed(Instant.now(), ZoneOffset.UTC);
  }

  @Test
  void answersOfBothAreReadByWss4j() throws Exception {
    EndpointPolicy policy = Policies.conversation().policy();
    SecurityContext context = PARTIES.context(policy);
    byte[] message = new Initiator(policy).secure(CONTENT, context);
    Both both = open(policy, message, now());
    var answer =
        new Departure(
            Initiator.PLAIN.getBytes(StandardCharsets.UTF_8),
            ((Opening.Opened) both.stream()).reply(),
            Parties.expectation(policy));
    var sealing = new AnswerWriter(PARTIES.surroundings()).protect(answer);
    assertThat(sealing).isInstanceOf(Sealing.Sealed.class);
    assertThat(
            new Acceptor(Parties.CLIENT, Map.of(context.identifier(), context.secret()))
                .read(((Sealing.Sealed) sealing).envelope())
                .signatures())
        .hasSize(1);
  }
}
