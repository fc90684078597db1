package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.staithe.wss.Engine;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.EndpointPolicy.Layout;
import dev.staithe.wss.stream.StreamEngine;
import dev.staithe.xml.Elements;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The layout Strict: tokens before what uses them, and what is signed before its signature. */
final class StrictOrderTests {
  private static final Parties PARTIES = new Parties();

  static Stream<Policies> policies() {
    return Stream.of(
        Policies.asymmetric(),
        Policies.conversation(),
        Policies.of(new Binding.EncryptedKey(true)),
        Policies.of(new Binding.UsernameKeys(true)));
  }

  private static byte[] message(EndpointPolicy policy) throws Exception {
    return new dev.staithe.wss.client.Initiator(
            policy,
            new Holder(
                Parties.CLIENT,
                Parties.SERVICE.certificate(),
                Parties.USER,
                Parties.PASSWORD.getBytes(StandardCharsets.UTF_8),
                null),
            policy.binding() instanceof Binding.Conversation ? PARTIES.context(policy) : null,
            Clock.systemUTC())
        .secure(
            PlainRequest.read(
                Initiator.PLAIN.getBytes(StandardCharsets.UTF_8),
                "urn:echo",
                "https://gw.example/echo"))
        .envelope();
  }

  /** The one that streams, of the bindings that it knows. */
  private static List<Engine> engines(EndpointPolicy policy) {
    List<Engine> engines = new ArrayList<>();
    engines.add(new DomEngine(PARTIES.surroundings()));
    if (policy.binding() instanceof Binding.Asymmetric
        || policy.binding() instanceof Binding.Conversation) {
      engines.add(new StreamEngine(PARTIES.surroundings()));
    }
    return engines;
  }

  @ParameterizedTest
  @MethodSource("policies")
  void messageOfOurClientKeepsTheOrder(Policies policies) throws Exception {
    EndpointPolicy strict = policies.layout(Layout.STRICT).policy();
    byte[] message = message(strict);

    for (Engine engine : engines(strict)) {
      assertThat(engine.open(Parties.arrival(message, strict))).isInstanceOf(Opening.Opened.class);
    }
  }

  static Stream<Arguments> moves() {
    Policies x509 = Policies.asymmetric();
    Policies conversation = Policies.conversation();
    Policies key = Policies.of(new Binding.EncryptedKey(true));
    Policies user = Policies.of(new Binding.UsernameKeys(true));
    return Stream.of(
        Arguments.of("Timestamp", x509),
        Arguments.of("BinarySecurityToken", x509),
        Arguments.of("Timestamp", conversation),
        Arguments.of("SecurityContextToken", conversation),
        Arguments.of("DerivedKeyToken", conversation),
        Arguments.of("EncryptedKey", key),
        Arguments.of("DerivedKeyToken", key),
        Arguments.of("UsernameToken", user));
  }

  @ParameterizedTest
  @MethodSource("moves")
  void tokenBehindWhatUsesItIsRefusedWhereTheLayoutIsStrict(String token, Policies policies)
      throws Exception {
    EndpointPolicy strict = policies.layout(Layout.STRICT).policy();
    EndpointPolicy lax = policies.layout(Layout.LAX).policy();
    byte[] moved = behind(message(strict), token);

    for (Engine engine : engines(strict)) {
      assertThat(engine.open(Parties.arrival(moved, lax))).isInstanceOf(Opening.Opened.class);
      assertThat(engine.open(Parties.arrival(moved, strict)))
          .isInstanceOfSatisfying(
              Opening.Refused.class,
              refused -> {
                assertThat(refused.reason()).isEqualTo(Refusal.POLICY);
                assertThat(refused.detail()).contains("layout");
              });
    }
  }

  @Test
  void listBeforeTheKeyOfWhatItNamesIsRefusedWhereTheLayoutIsStrict() throws Exception {
    EndpointPolicy strict = Policies.conversation().layout(Layout.STRICT).policy();
    Document document = Initiator.parse(new String(message(strict), StandardCharsets.UTF_8));
    Element security = security(document);
    security.insertBefore(child(security, "ReferenceList"), security.getFirstChild());
    byte[] moved = Initiator.write(document);

    for (Engine engine : engines(strict)) {
      assertThat(engine.open(Parties.arrival(moved, Policies.conversation().policy())))
          .isInstanceOf(Opening.Opened.class);
      assertThat(engine.open(Parties.arrival(moved, strict)))
          .isInstanceOfSatisfying(
              Opening.Refused.class,
              refused -> assertThat(refused.reason()).isEqualTo(Refusal.POLICY));
    }
  }

  /** Each of them is named twice by the one before, and the first by the last: ways without end. */
  @Test
  void listsThatLeadOnAndBackAreNotFollowedWhereTheLayoutIsStrict() throws Exception {
    EndpointPolicy strict = Policies.asymmetric().layout(Layout.STRICT).policy();
    var data = new StringBuilder("<m:data xmlns:m=\"urn:mallory\">");
    for (int level = 0; level < 40; level++) {
      data.append("<m:data Id=\"m").append(level).append("\"><ds:KeyInfo xmlns:ds=\"");
      data.append(Namespaces.DS).append("\">");
      data.append(listed((level + 1) % 40).repeat(2)).append("</ds:KeyInfo></m:data>");
    }
    String token =
        "<wsse:SecurityTokenReference xmlns:wsse=\"%s\">%s</wsse:SecurityTokenReference>"
            .formatted(Namespaces.WSSE, listed(0));
    Document document = Initiator.parse(new String(message(strict), StandardCharsets.UTF_8));
    Element security = security(document);
    adopted(security, token);
    adopted((Element) security.getParentNode(), data.append("</m:data>").toString());
    byte[] message = Initiator.write(document);

    Opening opening =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20),
            () -> new DomEngine(PARTIES.surroundings()).open(Parties.arrival(message, strict)));

    // Nobody signed any of it, and it means nothing.
    assertThat(opening).isInstanceOf(Opening.Opened.class);
  }

  private static String listed(int level) {
    return "<xenc:DataReference xmlns:xenc=\"%s\" URI=\"#m%d\"/>".formatted(Namespaces.XENC, level);
  }

  private static void adopted(Element parent, String element) {
    parent.insertBefore(
        parent.getOwnerDocument().importNode(Initiator.parse(element).getDocumentElement(), true),
        parent.getFirstChild());
  }

  @ParameterizedTest
  @MethodSource("streamed")
  void bothEnginesSayTheSameOfWrongForms(Policies policies) throws Exception {
    EndpointPolicy strict = policies.layout(Layout.STRICT).policy();

    EnginesAgreeTests.compare(new EnginesAgreeTests.Sample("strict", strict, message(strict)));
  }

  static Stream<Policies> streamed() {
    return Stream.of(Policies.asymmetric(), Policies.conversation());
  }

  private static byte[] behind(byte[] message, String token) {
    Document document = Initiator.parse(new String(message, StandardCharsets.UTF_8));
    Element security = security(document);
    security.appendChild(child(security, token));
    return Initiator.write(document);
  }

  private static Element child(Element security, String name) {
    return Elements.children(security).stream()
        .filter(each -> each.getLocalName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Element security(Document document) {
    Element header = Elements.children(document.getDocumentElement()).getFirst();
    return Elements.children(header).getLast();
  }
}
