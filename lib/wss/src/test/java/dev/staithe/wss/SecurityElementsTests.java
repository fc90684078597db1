package dev.staithe.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.xml.CanonicalForm;
import dev.staithe.xml.Octets;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import org.apache.xml.security.c14n.implementations.Canonicalizer20010315ExclOmitComments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/**
 * Each element is written in its canonical form, by Santuario's word; so what is signed is sent.
 */
class SecurityElementsTests {
  private static final byte[] KEY = new byte[32];
  private static final String HMAC = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256";

  private static SecurityContext context(String instance) {
    Instant now = Instant.EPOCH;
    return new SecurityContext(
        "urn:uuid:a?b=1&c='<>\"",
        instance,
        Namespaces.SC_13,
        "e",
        "v",
        new Caller.Anonymous(),
        now,
        now,
        KEY.clone());
  }

  private static String text(Octets octets) {
    return new String(octets.toByteArray(), StandardCharsets.UTF_8);
  }

  static Stream<String> elements() throws Exception {
    String reference = SecurityElements.reference("id", "urn:type");
    var data = new Octets(16);
    var cipher = new Octets(16);
    cipher.put(new byte[100_000]);
    SecurityElements.encryptedData(
        "e1", SecurityElements.CONTENT, "urn:alg", reference, cipher, data);
    var signature = new Octets(16);
    SecurityElements.signature("s1", HMAC, covered(), mac(), reference, signature);
    return Stream.of(
        reference,
        SecurityElements.encryptedKeyReference("k"),
        SecurityElements.thumbprint(new byte[20]),
        SecurityElements.contextReference(context(null)),
        SecurityElements.contextReference(context("urn:i&\"'<>")),
        SecurityElements.binaryToken("b", SecurityElements.X509_V3, new byte[5]),
        SecurityElements.derivedKey(Namespaces.SC_2005, "d", reference, 32, new byte[16]),
        SecurityElements.encryptedKey(
            "k", Namespaces.XENC + "rsa-oaep-mgf1p", reference, new byte[256], List.of()),
        SecurityElements.encryptedKey(
            "k",
            Namespaces.XENC11 + "rsa-oaep",
            SecurityElements.thumbprint(new byte[20]),
            new byte[256],
            List.of("a", "b")),
        SecurityElements.references(List.of("a")),
        SecurityElements.timestamp("t", "2026-01-01T00:00:00Z", "2026-01-01T00:05:00Z"),
        SecurityElements.addressing("To", "t", SecurityElements.text("a&b<c>\r\u00e9")),
        text(data),
        text(signature));
  }

  private static Octets covered() {
    var covered = new Octets(16);
    SecurityElements.covered(
        "a", Namespaces.XENC + "sha256", new byte[32], Set.of("", "xs"), covered);
    return covered;
  }

  private static SecurityElements.Signer mac() {
    return (data, from, length) -> {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
      mac.update(data, from, length);
      return mac.doFinal();
    };
  }

  private static Element parsed(String document) {
    if (SafeXml.parsePlain(
            document.getBytes(StandardCharsets.UTF_8), XmlLimits.ofBytes(document.length() * 2L))
        instanceof XmlDocument.Parsed parsed) {
      return parsed.document().getDocumentElement();
    }
    throw new AssertionError("not read: " + document);
  }

  @ParameterizedTest
  @MethodSource("elements")
  void eachIsItsOwnCanonicalForm(String element) throws Exception {
    var out = new ByteArrayOutputStream();
    new Canonicalizer20010315ExclOmitComments().engineCanonicalizeSubTree(parsed(element), out);
    assertThat(element).isEqualTo(out.toString(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @MethodSource("elements")
  void eachIsTheSameWhereverItStands(String element) throws Exception {
    String around =
        "<x:a xmlns:x='urn:x' xmlns:wsse='urn:other' xmlns:ds='urn:o' xmlns='urn:d'>"
            + element
            + "</x:a>";
    Element inner = (Element) parsed(around).getFirstChild();
    assertThat(new String(CanonicalForm.of(inner, Set.of()), StandardCharsets.UTF_8))
        .isEqualTo(element);
  }

  /** The runtime's XML signatures are Santuario's. */
  @Test
  void aSignatureIsOneForTheRuntime() throws Exception {
    byte[] content = "<p Id=\"a\">signed</p>".getBytes(StandardCharsets.UTF_8);
    for (boolean changed : new boolean[] {false, true}) {
      var covered = new Octets(16);
      SecurityElements.covered(
          "a",
          Namespaces.XENC + "sha256",
          java.security.MessageDigest.getInstance("SHA-256").digest(content),
          List.of(),
          covered);
      var signature = new Octets(16);
      byte[] value =
          SecurityElements.signature(
              null, HMAC, covered, mac(), SecurityElements.reference("k", "urn:t"), signature);
      assertThat(value).hasSize(32);
      String part = new String(content, StandardCharsets.UTF_8);
      Element root =
          parsed(
              "<r>"
                  + (changed ? part.replace("signed", "other") : part)
                  + text(signature)
                  + "</r>");
      Element target = (Element) root.getFirstChild();
      target.setIdAttribute("Id", true);
      var context =
          new DOMValidateContext(new SecretKeySpec(KEY, "HmacSHA256"), root.getLastChild());
      assertThat(
              XMLSignatureFactory.getInstance("DOM")
                  .unmarshalXMLSignature(context)
                  .validate(context))
          .isEqualTo(!changed);
    }
  }

  @Test
  void longContentIsOneRunOfBase64() {
    for (int length : new int[] {0, 1, (3 << 14) - 1, 3 << 14, (3 << 14) + 1, 200_001}) {
      byte[] content = new byte[length];
      Arrays.fill(content, (byte) length);
      var cipher = new Octets(16);
      cipher.put(content);
      var out = new Octets(16);
      SecurityElements.encryptedData("e", SecurityElements.CONTENT, "urn:a", "", cipher, out);
      assertThat(text(out))
          .contains(
              "<xenc:CipherValue>" + SecurityElements.base64(content) + "</xenc:CipherValue>");
    }
  }
}
