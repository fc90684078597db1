package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.stream.StreamEngine;
import dev.staithe.xml.Elements;
import dev.staithe.xml.XmlLimits;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Limits hold for what was encrypted as for what was not, by both engines alike. */
class EncryptedContentTests {
  private static final Parties PARTIES = new Parties();
  private static final String CONTENT =
      "<e:echo xmlns:e=\"urn:example:echo\"><e:text>a &amp; b &lt; ü</e:text></e:echo>";

  private record Both(Opening stream, Opening tree) {}

  private static Both open(EndpointPolicy policy, String content) throws Exception {
    byte[] message =
        new Initiator(policy)
            .secure(Initiator.PLAIN.replace(CONTENT, content), PARTIES.context(policy));
    PARTIES.at(Clock.fixed(Instant.now(), ZoneOffset.UTC));
    var arrival = Parties.arrival(message, policy);
    return new Both(
        new StreamEngine(PARTIES.surroundings()).open(arrival),
        new DomEngine(PARTIES.surroundings()).open(arrival));
  }

  private static void opened(Opening opening) {
    assertThat(opening).isInstanceOf(Opening.Opened.class);
  }

  private static void refused(Opening opening) {
    assertThat(opening)
        .isInstanceOfSatisfying(
            Opening.Refused.class,
            it -> assertThat(it.reason()).isIn(Refusal.DECRYPTION, Refusal.LIMIT));
  }

  private static String nested(int depth) {
    return "<a>".repeat(depth) + "</a>".repeat(depth);
  }

  private static String attributes(int count) {
    var tag = new StringBuilder("<a");
    for (int i = 0; i < count; i++) {
      tag.append(" a").append(i).append("=\"\"");
    }
    return tag + "></a>";
  }

  /** Envelope and Body are two of the 64. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void depthCountsFromTheEnvelope(boolean encrypted) throws Exception {
    EndpointPolicy policy = policy(encrypted);
    Both within = open(policy, nested(62));
    opened(within.stream());
    opened(within.tree());

    Both beyond = open(policy, nested(63));
    refused(beyond.stream());
    refused(beyond.tree());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void attributesOfAnElementAreCounted(boolean encrypted) throws Exception {
    EndpointPolicy policy = policy(encrypted);
    Both within = open(policy, attributes(64));
    opened(within.stream());
    opened(within.tree());

    Both beyond = open(policy, attributes(65));
    refused(beyond.stream());
    refused(beyond.tree());
  }

  /** Each of the elements is within the limit, and all together are a hundred times the content. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void canonicalFormOfAllElementsIsLimited(boolean encrypted) throws Exception {
    String element =
        "<g xmlns:long=\"urn:" + "l".repeat(900) + "\">" + "<long:a/>".repeat(2_000) + "</g>";
    Both beyond = open(policy(encrypted), element.repeat(20));
    refused(beyond.stream());
    refused(beyond.tree());
  }

  @Test
  void treeOfAllPartsIsLimited() throws Exception {
    assertThat(openThrice(10)).isInstanceOf(Opening.Opened.class);
    refused(openThrice(XmlLimits.NODES / 2));
  }

  /** One encrypted header block with so many elements, and the same two times more. */
  private static Opening openThrice(int elements) throws Exception {
    EndpointPolicy policy =
        Policies.asymmetric()
            .encrypting(new Parts(true, List.of(new QName("urn:x", "x")), false))
            .policy();
    String block = "<x:x xmlns:x=\"urn:x\">" + "<a/>".repeat(elements) + "</x:x></s:Header>";
    byte[] message = new Initiator(policy).secure(Initiator.PLAIN.replace("</s:Header>", block));
    Document document = Initiator.parse(new String(message, StandardCharsets.UTF_8));
    Element header = first(document, Namespaces.WSSE11, "EncryptedHeader");
    Element reference = first(document, Namespaces.XENC, "DataReference");
    for (int i = 0; i < 2; i++) {
      Element again = (Element) header.cloneNode(true);
      again.removeAttributeNS(Namespaces.WSU, "Id");
      for (Element each : Elements.children(again, Namespaces.XENC, "EncryptedData")) {
        each.setAttribute("Id", "data-" + i);
      }
      header.getParentNode().appendChild(again);
      Element another = (Element) reference.cloneNode(true);
      another.setAttribute("URI", "#data-" + i);
      reference.getParentNode().appendChild(another);
    }
    PARTIES.at(Clock.fixed(Instant.now(), ZoneOffset.UTC));
    return new DomEngine(PARTIES.surroundings())
        .open(Parties.arrival(Initiator.write(document), policy));
  }

  private static Element first(Document document, String namespace, String name) {
    return (Element) document.getElementsByTagNameNS(namespace, name).item(0);
  }

  private static EndpointPolicy policy(boolean encrypted) {
    var policy = Policies.conversation();
    return (encrypted ? policy : policy.encrypting(Parts.NONE)).policy();
  }
}
