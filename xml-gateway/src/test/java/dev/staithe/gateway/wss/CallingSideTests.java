package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.AnswerReader;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.client.SoapResponse;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.SupportingToken;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.wss.stream.StreamEngine;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the calling side writes is opened by the engine, and it believes the engine's answers. */
final class CallingSideTests {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final String PLAIN =
      """
      <e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' xmlns:x="urn:x" \
      xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns="urn:default">
        <e:Header><x:Who b="2" a='1'>ada &gt; "bob"</x:Who></e:Header>
        <e:Body><say xmlns:s='urn:other'>\
      <word xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='xs:string' \
      x:q="tab&#9;end">h\u00e9llo <![CDATA[<&>]]>&#13;</word>\
      <s:inner s:e='1'/><none xmlns=""/></say></e:Body>
      </e:Envelope>
      """;
  private static final String ANSWER =
      """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>\
      <e:heard xmlns:e="urn:echo">h\u00e9llo &amp; back</e:heard></s:Body></s:Envelope>""";

  private final Parties parties = new Parties();
  private final Engine tree = new DomEngine(parties.surroundings());
  private Engine engine = tree;

  private record Exchange(SecuredRequest request, Opening opening, AnswerReader reader) {}

  static Stream<Arguments> policies() {
    var all = new ArrayList<Arguments>();
    for (String name : BuiltInPolicies.NAMES) {
      // Another engine passes on what needs no keys; a token is judged before any engine.
      if (!List.of("none", "transport", "conversation-bearer").contains(name)) {
        for (AlgorithmList list : AlgorithmList.values()) {
          all.add(Arguments.of("dom", name, list));
          if (List.of("x509", "conversation").contains(name)) {
            all.add(Arguments.of("stream", name, list));
          }
        }
      }
    }
    return all.stream();
  }

  private Exchange exchange(EndpointPolicy policy, AlgorithmList list, @Nullable SecurityContext in)
      throws Exception {
    var holder =
        new Holder(
            Parties.CLIENT,
            Parties.SERVICE.certificate(),
            Parties.USER,
            Parties.PASSWORD.getBytes(StandardCharsets.UTF_8),
            null);
    SecuredRequest request =
        new Initiator(policy, holder, in, CLOCK)
            .secure(
                PlainRequest.read(
                    PLAIN.getBytes(StandardCharsets.UTF_8), "urn:say", "https://gateway/say"));
    Opening opening =
        engine.open(
            new Arrival(
                request.envelope(),
                expectation(policy, list),
                new Arrival.TransportFacts(true, null, null)));
    return new Exchange(request, opening, new AnswerReader(policy, holder, CLOCK));
  }

  private static Expectation expectation(EndpointPolicy policy, AlgorithmList list) {
    return new Expectation(Parties.ENDPOINT, policy, list, Expectation.Limits.DEFAULT, false);
  }

  private byte[] answer(EndpointPolicy policy, AlgorithmList list, Reply reply) {
    Sealing sealing =
        new AnswerWriter(parties.surroundings())
            .protect(
                new Departure(
                    ANSWER.getBytes(StandardCharsets.UTF_8), reply, expectation(policy, list)));
    assertThat(sealing).isInstanceOf(Sealing.Sealed.class);
    return ((Sealing.Sealed) sealing).envelope();
  }

  private @Nullable SecurityContext context(String name, EndpointPolicy policy) {
    return name.startsWith("conversation") ? parties.context(policy) : null;
  }

  @ParameterizedTest
  @MethodSource("policies")
  void callIsOpenedAndItsAnswerIsBelieved(String by, String name, AlgorithmList list)
      throws Exception {
    engine = by.equals("dom") ? tree : new StreamEngine(parties.surroundings());
    EndpointPolicy policy = BuiltInPolicies.policy(name, list);
    Exchange made = exchange(policy, list, context(name, policy));
    assertThat(made.opening()).isInstanceOf(Opening.Opened.class);
    var opened = (Opening.Opened) made.opening();
    assertThat(opened.findings().engine()).isEqualTo(by);
    assertThat(new String(opened.message().body(), StandardCharsets.UTF_8))
        .contains("h\u00e9llo &lt;&amp;&gt;&#xD;</word>", "xmlns:xs=");
    assertThat(opened.message().addressing().messageId()).isEqualTo(made.request().messageId());
    assertThat(opened.message().headers())
        .anyMatch(each -> each.name().getLocalPart().equals("Who"));
    SoapResponse heard = made.reader().read(answer(policy, list, opened.reply()), made.request());
    assertThat(heard).isInstanceOf(SoapResponse.Message.class);
    assertThat(((SoapResponse.Message) heard).payload())
        .isEqualTo("<e:heard xmlns:e=\"urn:echo\">h\u00e9llo &amp; back</e:heard>");
  }

  static Stream<Arguments> variants() {
    var all = new ArrayList<Arguments>();
    for (String name : List.of("x509", "conversation", "encrypted-key", "username")) {
      all.add(Arguments.of(name, "order"));
      all.add(Arguments.of(name, "hidden-signature"));
      all.add(Arguments.of(name, "both"));
      all.add(Arguments.of(name, "timestamp-last"));
      all.add(Arguments.of(name, "confirmation"));
      if (!name.equals("username")) {
        all.add(Arguments.of(name, "user"));
        all.add(Arguments.of(name, "user-digest"));
      }
    }
    all.add(Arguments.of("encrypted-key", "endorsed"));
    return all.stream();
  }

  private static EndpointPolicy variant(EndpointPolicy policy, String what) {
    boolean order = what.equals("order") || what.equals("both");
    boolean hidden = what.equals("hidden-signature") || what.equals("both");
    List<SupportingToken> supporting =
        switch (what) {
          case "user" ->
              List.of(new SupportingToken(SupportingToken.Kind.USERNAME_TEXT, false, true, true));
          case "user-digest" ->
              List.of(new SupportingToken(SupportingToken.Kind.USERNAME_DIGEST, false, true, true));
          case "endorsed" ->
              List.of(new SupportingToken(SupportingToken.Kind.X509, true, false, false));
          default -> List.of();
        };
    return new EndpointPolicy(
        policy.version(),
        policy.securityPolicy(),
        policy.binding(),
        policy.suite(),
        policy.timestamp(),
        order,
        hidden,
        policy.entireHeadersAndBody(),
        what.equals("timestamp-last")
            ? EndpointPolicy.Layout.LAX_TIMESTAMP_LAST
            : EndpointPolicy.Layout.LAX,
        policy.signed(),
        policy.encrypted(),
        supporting,
        policy.signatureConfirmation() || what.equals("confirmation"),
        policy.clientEntropy(),
        policy.serverEntropy(),
        policy.addressing());
  }

  @ParameterizedTest
  @MethodSource("variants")
  void callByAVariantOfAPolicyIsOpenedAndItsAnswerIsBelieved(String name, String what)
      throws Exception {
    AlgorithmList list = AlgorithmList.MODERN;
    EndpointPolicy policy = variant(BuiltInPolicies.policy(name, list), what);
    Exchange made = exchange(policy, list, context(name, policy));
    assertThat(made.opening()).isInstanceOf(Opening.Opened.class);
    Reply reply = ((Opening.Opened) made.opening()).reply();
    assertThat(made.reader().read(answer(policy, list, reply), made.request()))
        .isInstanceOf(SoapResponse.Message.class);
  }

  @Test
  void answerThatWasChangedIsNotBelieved() throws Exception {
    for (String name : List.of("x509", "conversation", "encrypted-key", "username")) {
      EndpointPolicy policy = BuiltInPolicies.policy(name, AlgorithmList.MODERN);
      Exchange made = exchange(policy, AlgorithmList.MODERN, context(name, policy));
      byte[] good = answer(policy, AlgorithmList.MODERN, ((Opening.Opened) made.opening()).reply());
      String text = new String(good, StandardCharsets.UTF_8);
      assertThat(made.reader().read(good, made.request())).isInstanceOf(SoapResponse.Message.class);
      for (String tag : List.of("SignatureValue>", "DigestValue>", "Created>", "CipherValue>")) {
        int at = text.lastIndexOf(tag, text.lastIndexOf(tag) - 1) + tag.length() + 2;
        char other = text.charAt(at) == '1' ? '2' : '1';
        String changed = text.substring(0, at) + other + text.substring(at + 1);
        assertThat(made.reader().read(changed.getBytes(StandardCharsets.UTF_8), made.request()))
            .as(name + " " + tag)
            .isInstanceOf(SoapResponse.Untrusted.class);
      }
    }
  }

  @Test
  void requestThatComesBackAsItsOwnAnswerIsNotBelieved() throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy("conversation", AlgorithmList.MODERN);
    SecurityContext context = parties.context(policy);
    Exchange one = exchange(policy, AlgorithmList.MODERN, context);
    Exchange two = exchange(policy, AlgorithmList.MODERN, context);
    assertThat(one.reader().read(one.request().envelope(), one.request()))
        .isEqualTo(new SoapResponse.Untrusted("the answer is the request itself"));
    assertThat(one.reader().read(two.request().envelope(), one.request()))
        .isEqualTo(new SoapResponse.Untrusted("the answer is a request"));
  }

  @Test
  void answerOfAnotherContextOrWithoutProtectionIsNotBelieved() throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy("conversation", AlgorithmList.MODERN);
    Exchange one = exchange(policy, AlgorithmList.MODERN, parties.context(policy));
    Exchange two = exchange(policy, AlgorithmList.MODERN, parties.context(policy));
    byte[] other = answer(policy, AlgorithmList.MODERN, ((Opening.Opened) two.opening()).reply());
    assertThat(one.reader().read(other, one.request())).isInstanceOf(SoapResponse.Untrusted.class);
    assertThat(one.reader().read(ANSWER.getBytes(StandardCharsets.UTF_8), one.request()))
        .isEqualTo(new SoapResponse.Untrusted("the answer is not protected"));
  }

  @Test
  void answerThatSomebodyElseSignedIsNotBelieved() throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy("x509", AlgorithmList.MODERN);
    Exchange made = exchange(policy, AlgorithmList.MODERN, null);
    byte[] good = answer(policy, AlgorithmList.MODERN, ((Opening.Opened) made.opening()).reply());
    var other =
        new AnswerReader(policy, Holder.of(Parties.CLIENT, Parties.STRANGER.certificate()), CLOCK);
    var keys = new Reply.Keys.ToCertificate(Parties.STRANGER.certificate());
    assertThat(other.read(good, keys))
        .isEqualTo(new SoapResponse.Untrusted("the signature of the answer is not the service's"));
  }

  @Test
  void faultWithoutProtectionIsToldAsSuch() throws Exception {
    EndpointPolicy policy = BuiltInPolicies.policy("x509", AlgorithmList.MODERN);
    Exchange made = exchange(policy, AlgorithmList.MODERN, null);
    String fault =
        """
        <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault>\
        <faultcode xmlns:w="urn:w">w:InvalidSecurity</faultcode>\
        <faultstring>no</faultstring></s:Fault></s:Body></s:Envelope>""";
    SoapResponse heard = made.reader().read(fault.getBytes(StandardCharsets.UTF_8), made.request());
    assertThat(heard)
        .isEqualTo(
            new SoapResponse.Fault(
                dev.staithe.xml.SoapVersion.SOAP_1_1, "InvalidSecurity", "no", false));
  }
}
