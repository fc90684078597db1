package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.saml.metadata.SamlNamespaces;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.xml.Elements;
import java.net.http.HttpResponse;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Responses whose signature is not of what they say. */
class SignatureAttackTests extends AttackedService {
  private static final String SAML = SamlNamespaces.ASSERTION;
  private static final String DS = SamlNamespaces.DS;

  @ParameterizedTest
  @ValueSource(strings = {"assertion", "response", "both"})
  void whatIsSignedAsItShouldBeLogsIn(String signed) {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = IDP.good(slcs.url().toString(), begin(browser));
    said.signAssertion = !signed.equals("response");
    said.signResponse = !signed.equals("assertion");

    HttpResponse<String> answer = post(browser, TestIdp.text(IDP.response(said)));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
    assertThat(browser.get("/session").body()).contains("alice@test.example.org");
  }

  // --- signature wrapping (Somorovsky et al., On Breaking SAML, 2012) ------------------------

  private static Element copy(Element element) {
    return (Element) element.cloneNode(true);
  }

  private static Element signature(Element element) {
    return Elements.children(element, DS, "Signature").getFirst();
  }

  private static Element withoutSignature(Element element) {
    Element copy = copy(element);
    copy.removeChild(signature(copy));
    return copy;
  }

  /** Says another person, under another ID. */
  private static Element evil(Element element) {
    element.setAttribute("ID", "_evil");
    var values = element.getElementsByTagNameNS(SAML, "AttributeValue");
    for (int i = 0; i < values.getLength(); i++) {
      values.item(i).setTextContent("mallory@test.example.org");
    }
    return element;
  }

  private static void wrapResponse(Consumer<Document> forging) {
    refused(
        Reason.SIGNATURE,
        said -> {
          said.signResponse = true;
          said.signAssertion = false;
        },
        xml -> {
          Document document = TestIdp.parse(xml);
          forging.accept(document);
          return TestIdp.text(document);
        });
  }

  @Test
  void signatureWrapping1OriginalResponseInsideSignature() {
    wrapResponse(
        document -> {
          Element root = document.getDocumentElement();
          Element original = withoutSignature(root);
          evil(root);
          signature(root).appendChild(original);
        });
  }

  @Test
  void signatureWrapping2OriginalResponseBeforeSignature() {
    wrapResponse(
        document -> {
          Element root = document.getDocumentElement();
          Element original = withoutSignature(root);
          evil(root);
          root.insertBefore(original, signature(root));
        });
  }

  @Test
  void signatureWrapping3EvilAssertionBeforeTheOriginal() {
    forged(
        document -> {
          Element original = TestIdp.assertion(document);
          original.getParentNode().insertBefore(evil(withoutSignature(original)), original);
        });
  }

  @Test
  void signatureWrapping4EvilAssertionAroundTheOriginal() {
    forged(
        document -> {
          Element original = TestIdp.assertion(document);
          Element evil = evil(withoutSignature(original));
          original.getParentNode().replaceChild(evil, original);
          evil.appendChild(original);
        });
  }

  @Test
  void signatureWrapping5SignatureInEvilAssertionOriginalBehind() {
    forged(
        document -> {
          Element assertion = TestIdp.assertion(document);
          Element original = withoutSignature(assertion);
          evil(assertion);
          assertion.getParentNode().appendChild(original);
        });
  }

  @Test
  void signatureWrapping6OriginalInsideSignatureOfEvilAssertion() {
    forged(
        document -> {
          Element assertion = TestIdp.assertion(document);
          Element original = withoutSignature(assertion);
          evil(assertion);
          signature(assertion).appendChild(original);
        });
  }

  @Test
  void signatureWrapping7EvilAssertionInExtensions() {
    forged(
        document -> {
          Element original = TestIdp.assertion(document);
          Element extensions =
              document.createElementNS(SamlNamespaces.PROTOCOL, "samlp:Extensions");
          extensions.appendChild(evil(withoutSignature(original)));
          original.getParentNode().insertBefore(extensions, original);
        });
  }

  @Test
  void signatureWrapping8OriginalInObjectOfSignature() {
    forged(
        document -> {
          Element assertion = TestIdp.assertion(document);
          Element original = withoutSignature(assertion);
          evil(assertion);
          Element object = document.createElementNS(DS, "ds:Object");
          object.appendChild(original);
          signature(assertion).appendChild(object);
        });
  }

  @Test
  void secondAssertionWithTheSameIdIsRefused() {
    forged(
        document -> {
          Element original = TestIdp.assertion(document);
          Element evil = evil(withoutSignature(original));
          evil.setAttribute("ID", original.getAttribute("ID"));
          original.getParentNode().insertBefore(evil, original);
        });
  }

  // --- signatures ----------------------------------------------------------------------------

  @Test
  void unsignedResponseIsRefused() {
    refused(Reason.SIGNATURE, said -> said.signAssertion = false);
  }

  @Test
  void strippedSignatureIsRefused() {
    forged(
        document -> {
          Element assertion = TestIdp.assertion(document);
          assertion.removeChild(signature(assertion));
        });
  }

  @Test
  void unsignedAssertionBesideASignedOneIsRefused() {
    forged(
        document -> {
          Element original = TestIdp.assertion(document);
          original.getParentNode().appendChild(evil(withoutSignature(original)));
        });
  }

  @Test
  void changedValueIsRefused() {
    refused(Reason.SIGNATURE, said -> {}, xml -> xml.replace("alice@", "mallory@"));
  }

  @Test
  void signatureByAKeyOfNobodyIsRefused() {
    refused(Reason.SIGNATURE, said -> said.key = TestIdp.credential().key());
  }

  @Test
  void signatureByTheKeyOfAnotherProviderIsRefused() {
    refused(Reason.SIGNATURE, said -> said.key = OTHER.keys().key());
  }

  @Test
  void signatureBySha1IsRefused() {
    refused(
        Reason.SIGNATURE, said -> said.algorithm = "http://www.w3.org/2000/09/xmldsig#rsa-sha1");
  }

  @Test
  void digestBySha1IsRefused() {
    refused(Reason.SIGNATURE, said -> said.digest = "http://www.w3.org/2000/09/xmldsig#sha1");
  }

  @Test
  void macByThePublicKeyAsSecretIsRefused() {
    refused(
        Reason.SIGNATURE,
        said -> {
          said.algorithm = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256";
          said.key =
              new javax.crypto.spec.SecretKeySpec(
                  IDP.keys().certificate().getPublicKey().getEncoded(), "HmacSHA256");
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SignedInfo",
        "CanonicalizationMethod",
        "SignatureMethod",
        "Reference",
        "Transforms",
        "DigestMethod"
      })
  void signatureThatLacksAPartOrHasItTwiceIsRefused(String name) {
    forged(document -> part(document, name).getParentNode().removeChild(part(document, name)));
    forged(
        document -> {
          Element part = part(document, name);
          part.getParentNode().insertBefore(copy(part), part);
        });
  }

  private static Element part(Document document, String name) {
    return (Element)
        signature(TestIdp.assertion(document)).getElementsByTagNameNS(DS, name).item(0);
  }

  @Test
  void signatureOfNothingByEmptyReferenceIsRefused() {
    refused(Reason.SIGNATURE, said -> {}, xml -> xml.replaceFirst("URI=\"#_a[^\"]+\"", "URI=\"\""));
  }
}
