package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.clients.XmlSec1;
import dev.staithe.wss.Departure;
import dev.staithe.wss.Engine;
import dev.staithe.wss.KeyDerivation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.stream.AnswerWriter;
import dev.staithe.wss.stream.StreamEngine;
import dev.staithe.xml.Elements;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Whether xmlsec1 takes what either engine writes. */
final class JudgedByXmlsecIT {
  private static final String ANSWER =
      """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:t="urn:types"><s:Body>\
      <e:answer xmlns:e="urn:example:echo" e:b="2" a="1">b &amp; &#13; ü<none xmlns=""/>\
      <w xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="t:w"/>\
      </e:answer></s:Body></s:Envelope>""";
  private static final List<String> IDENTIFIED =
      List.of(
          "http://schemas.xmlsoap.org/soap/envelope/:Body",
          Namespaces.WSU + ":Timestamp",
          Namespaces.WSSE + ":BinarySecurityToken");

  @TempDir Path folder;
  private final Parties parties = new Parties();

  static Stream<Arguments> suites() {
    return Stream.of(Policies.MODERN, Policies.INTEROP, Policies.STRONG)
        .flatMap(
            suite ->
                Stream.of(
                    Arguments.of(suite.name(), suite, true),
                    Arguments.of(suite.name(), suite, false)));
  }

  /** Without the newer name of RSA-OAEP, which this xmlsec1 (1.2) does not know. */
  static Stream<Arguments> olderKeyTransport() {
    return suites().filter(each -> !each.get()[0].equals(Policies.STRONG.name()));
  }

  private Engine engine(boolean tree) {
    return tree ? new DomEngine(parties.surroundings()) : new StreamEngine(parties.surroundings());
  }

  private byte[] answer(Engine engine, EndpointPolicy policy, byte[] request) {
    var opened =
        (Opening.Opened)
            new DomEngine(parties.surroundings()).open(Parties.arrival(request, policy));
    Sealing sealing =
        new AnswerWriter(parties.surroundings())
            .protect(
                new Departure(
                    ANSWER.getBytes(StandardCharsets.UTF_8),
                    opened.reply(),
                    Parties.expectation(policy)));
    assertThat(sealing).isInstanceOf(Sealing.Sealed.class);
    return ((Sealing.Sealed) sealing).envelope();
  }

  private void judge(byte[] answer, List<String> key) {
    var judge = new XmlSec1(folder);
    assertThat(judge.verdict(answer, key, IDENTIFIED))
        .as(new String(answer, StandardCharsets.UTF_8))
        .startsWith("OK");
    byte[] changed =
        new String(answer, StandardCharsets.UTF_8)
            .replace("b &amp; ", "c &amp; ")
            .getBytes(StandardCharsets.UTF_8);
    assertThat(changed).isNotEqualTo(answer);
    assertThat(judge.verdict(changed, key, IDENTIFIED)).doesNotContain("OK");
  }

  @ParameterizedTest(name = "{0}, tree {2}")
  @MethodSource("suites")
  void signatureWithOurKeyFits(
      String name, dev.staithe.wss.policy.AlgorithmSuite suite, boolean tree) throws Exception {
    EndpointPolicy policy = Policies.asymmetric().withSuite(suite).encrypting(Parts.NONE).policy();
    Path certificate = folder.resolve("service.pem");
    Parties.SERVICE.write(certificate, folder.resolve("service-key.pem"));

    judge(
        answer(engine(tree), policy, new Initiator(policy).secure(Initiator.PLAIN)),
        List.of("--pubkey-cert-pem", certificate.toString()));
  }

  @ParameterizedTest(name = "{0}, tree {2}")
  @MethodSource("suites")
  void signatureUnderADerivedKeyFits(
      String name, dev.staithe.wss.policy.AlgorithmSuite suite, boolean tree) throws Exception {
    EndpointPolicy policy =
        Policies.conversation().withSuite(suite).encrypting(Parts.NONE).policy();
    SecurityContext context = parties.context(policy);
    byte[] answer =
        answer(engine(tree), policy, new Initiator(policy).secure(Initiator.PLAIN, context));
    Document document = Initiator.parse(new String(answer, StandardCharsets.UTF_8));
    Element nonce = (Element) document.getElementsByTagNameNS(Namespaces.SC_13, "Nonce").item(0);
    byte[] key =
        KeyDerivation.P_SHA1.derive(
            context.secret(),
            Base64.getMimeDecoder().decode(nonce.getTextContent()),
            0,
            suite.signatureKeyBytes());
    Path file = Files.write(folder.resolve("hmac.bin"), key);

    judge(answer, List.of("--hmackey", file.toString()));
  }

  @ParameterizedTest(name = "{0}, tree {2}")
  @MethodSource("olderKeyTransport")
  void contentForTheClientIsDecrypted(
      String name, dev.staithe.wss.policy.AlgorithmSuite suite, boolean tree) throws Exception {
    EndpointPolicy policy = Policies.asymmetric().withSuite(suite).policy();
    byte[] answer = answer(engine(tree), policy, new Initiator(policy).secure(Initiator.PLAIN));
    Document document = Initiator.parse(new String(answer, StandardCharsets.UTF_8));
    Element key =
        (Element) document.getElementsByTagNameNS(Namespaces.XENC, "EncryptedKey").item(0);
    Element data =
        (Element) document.getElementsByTagNameNS(Namespaces.XENC, "EncryptedData").item(0);
    // xmlsec1 knows no SecurityTokenReference: the wrapped key goes where XML Encryption has it.
    for (String each : List.of("KeyInfo", "ReferenceList")) {
      for (Element child : Elements.children(key)) {
        if (child.getLocalName().equals(each)) {
          key.removeChild(child);
        }
      }
    }
    Element info = Elements.child(data, Namespaces.DS, "KeyInfo");
    if (info == null) {
      info = document.createElementNS(Namespaces.DS, "ds:KeyInfo");
      data.insertBefore(info, Elements.child(data, Namespaces.XENC, "CipherData"));
    }
    info.setTextContent("");
    info.appendChild(key);
    Path privateKey = folder.resolve("client-key.pem");
    Parties.CLIENT.write(folder.resolve("client.pem"), privateKey);

    assertThat(new XmlSec1(folder).decrypted(Initiator.write(document), privateKey))
        .contains("<e:answer")
        .contains("b &amp; ");
  }
}
