package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Engine;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.wss.stream.StreamEngine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What senders of other makers do who read the standards in another way. */
final class OtherReadingsTests {
  private static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";
  private static final AlgorithmSuite BASIC_256_SHA256 =
      new AlgorithmSuite(
          "Basic256Sha256",
          Namespaces.XENC + "sha256",
          Namespaces.DS + "rsa-sha1",
          Namespaces.DS + "hmac-sha1",
          Namespaces.XENC + "aes256-cbc",
          Namespaces.XENC + "rsa-oaep-mgf1p",
          32,
          24);

  private final Parties parties = new Parties();

  private Engine engine(String name) {
    return name.equals("dom")
        ? new DomEngine(parties.surroundings())
        : new StreamEngine(parties.surroundings());
  }

  private static Expectation expectation(EndpointPolicy policy) {
    return new Expectation(
        Parties.ENDPOINT, policy, AlgorithmList.INTEROP, Expectation.Limits.DEFAULT, false);
  }

  private static Opening open(Engine engine, EndpointPolicy policy, byte[] message) {
    return engine.open(new Arrival(message, expectation(policy), Arrival.TransportFacts.PLAIN));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** WCF and Rampart sign with SHA-256 under the suites named so, and take nothing else. */
  @ParameterizedTest
  @ValueSource(strings = {"dom", "stream"})
  void bothSignaturesAreTakenUnderASuiteNamedSha256AndAnsweredInKind(String name) throws Exception {
    Engine engine = engine(name);
    EndpointPolicy policy = Policies.asymmetric().withSuite(BASIC_256_SHA256).policy();
    for (String algorithm : new String[] {Namespaces.DS + "rsa-sha1", MORE + "rsa-sha256"}) {
      var initiator = new Initiator(policy);
      initiator.signatureAlgorithm = algorithm;
      Opening opening = open(engine, policy, initiator.secure(Initiator.PLAIN));
      assertThat(opening).isInstanceOf(Opening.Opened.class);
      var opened = (Opening.Opened) opening;
      Sealing sealing =
          new AnswerWriter(parties.surroundings())
              .protect(
                  new Departure(
                      Initiator.PLAIN.getBytes(StandardCharsets.UTF_8),
                      opened.reply(),
                      expectation(policy).answering(opened.findings())));
      assertThat(text(((Sealing.Sealed) sealing).envelope()))
          .contains("Algorithm=\"" + algorithm + "\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dom", "stream"})
  void bothMacsAreTakenInAContextUnderASuiteNamedSha256AndAnsweredInKind(String name)
      throws Exception {
    Engine engine = engine(name);
    EndpointPolicy policy = Policies.conversation().withSuite(BASIC_256_SHA256).policy();
    SecurityContext context = parties.context(policy);
    for (String algorithm : new String[] {Namespaces.DS + "hmac-sha1", MORE + "hmac-sha256"}) {
      var initiator = new Initiator(policy);
      initiator.signatureAlgorithm = algorithm;
      Opening opening = open(engine, policy, initiator.secure(Initiator.PLAIN, context));
      assertThat(opening).isInstanceOf(Opening.Opened.class);
      var opened = (Opening.Opened) opening;
      Sealing sealing =
          new AnswerWriter(parties.surroundings())
              .protect(
                  new Departure(
                      Initiator.PLAIN.getBytes(StandardCharsets.UTF_8),
                      opened.reply(),
                      expectation(policy).answering(opened.findings())));
      assertThat(text(((Sealing.Sealed) sealing).envelope()))
          .contains("Algorithm=\"" + algorithm + "\"");
    }
  }

  /** Signed in exclusive form without a list of prefixes, as by WCF, signxml and zeep. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<e:text xmlns:q=\"urn:q\" ref=\"q:thing\">x</e:text>",
        "<e:text xmlns:q=\"urn:q\">q:abc</e:text>",
        "<e:text xmlns:q=\"urn:q\"><e:a/>a q:abc</e:text>",
        "<e:text xmlns:q=\"urn:q\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\""
            + " i:type=\"q:Dog\">x</e:text>"
      })
  void declarationThatContentMeansSomethingByIsPassedOn(String content) throws Exception {
    EndpointPolicy policy =
        Policies.asymmetric().withSuite(Policies.INTEROP).encrypting(Parts.NONE).policy();
    var initiator = new Initiator(policy);
    initiator.inclusive = false;
    byte[] message =
        initiator.secure(Initiator.PLAIN.replace("<e:text>a &amp; b &lt; ü</e:text>", content));

    assertThat(open(engine("stream"), policy, message)).isInstanceOf(Opening.Unknown.class);
    Opening opening = open(engine("dom"), policy, message);

    assertThat(opening).isInstanceOf(Opening.Opened.class);
    assertThat(text(((Opening.Opened) opening).message().body())).contains("xmlns:q=\"urn:q\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dom", "stream"})
  void contentThatUsesNoSuchPrefixIsPassedOnAsItWasDigested(String name) throws Exception {
    EndpointPolicy policy =
        Policies.asymmetric().withSuite(Policies.INTEROP).encrypting(Parts.NONE).policy();
    var initiator = new Initiator(policy);
    initiator.inclusive = false;
    byte[] message =
        initiator.secure(
            Initiator.PLAIN
                .replace("<e:text>", "<e:text xmlns:q=\"urn:q\">12:30 http://host: ")
                .replace("ü", "q"));

    Opening opening = open(engine(name), policy, message);

    assertThat(opening).isInstanceOf(Opening.Opened.class);
    assertThat(text(((Opening.Opened) opening).message().body())).doesNotContain("urn:q");
  }

  /** PHP and zeep write {@code xsi:type="xsd:string"} everywhere in rpc/encoded. */
  @ParameterizedTest
  @ValueSource(
      strings = {"http://www.w3.org/2001/XMLSchema", "http://schemas.xmlsoap.org/soap/encoding/"})
  void typeOfTheStandardNeedsNoSignedPrefixByModernAlgorithmsEither(String namespace)
      throws Exception {
    EndpointPolicy policy = Policies.asymmetric().encrypting(Parts.NONE).policy();
    var initiator = new Initiator(policy);
    initiator.inclusive = false;
    byte[] message =
        initiator.secure(
            Initiator.PLAIN.replace(
                "<e:text>",
                "<e:text xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:d=\""
                    + namespace
                    + "\" i:type=\"d:string\">"));

    Opening opening = engine("dom").open(Parties.arrival(message, policy));

    assertThat(opening).isInstanceOf(Opening.Opened.class);
    assertThat(text(((Opening.Opened) opening).message().body()))
        .contains("xmlns:d=\"" + namespace + "\"");
  }

  /** Metro lists header blocks twice where it cancels a context. */
  @Test
  void partThatIsSignedTwiceInOneFormIsSignedOnce() throws Exception {
    EndpointPolicy policy = Policies.asymmetric().encrypting(Parts.NONE).policy();
    var initiator = new Initiator(policy);
    QName to = new QName(Namespaces.WSA, "To");
    initiator.alsoSigned = List.of(to, to);
    byte[] message = initiator.secure(Initiator.PLAIN);
    List<String> references =
        Pattern.compile("Reference URI=\"(#[^\"]+)\"")
            .matcher(text(message))
            .results()
            .map(each -> each.group(1))
            .toList();
    assertThat(references.stream().distinct().count()).isLessThan(references.size());

    Opening opening = engine("dom").open(Parties.arrival(message, policy));

    assertThat(opening).isInstanceOf(Opening.Opened.class);
    assertThat(((Opening.Opened) opening).findings().signed()).containsOnlyOnce("To");
  }

  /** In a context, which such a message may end: it shows that its sender has the keys. */
  @Test
  void messageInAContextWithAPartThatIsSignedTwiceShowsTheContext() throws Exception {
    EndpointPolicy policy = Policies.conversation().policy();
    SecurityContext context = parties.context(policy);
    var initiator = new Initiator(policy);
    QName to = new QName(Namespaces.WSA, "To");
    initiator.alsoSigned = List.of(to, to);
    byte[] message = initiator.secure(Initiator.PLAIN, context);

    // The tree knows what the stream leaves to it.
    assertThat(engine("stream").open(Parties.arrival(message, policy)))
        .isEqualTo(new Opening.Unknown("a part that is signed twice"));
    Opening opening = engine("dom").open(Parties.arrival(message, policy));

    assertThat(opening).isInstanceOf(Opening.Opened.class);
    assertThat(((Opening.Opened) opening).reply().keys())
        .isEqualTo(new Reply.Keys.InContext(context));
    assertThat(((Opening.Opened) opening).findings().signed()).containsOnlyOnce("To");
  }
}
