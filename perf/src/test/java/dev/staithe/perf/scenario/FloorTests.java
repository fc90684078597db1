package dev.staithe.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.perf.lean.FloorTask;
import dev.staithe.perf.lean.FloorTask.Work;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import javax.xml.crypto.dsig.CanonicalizationMethod;
import javax.xml.crypto.dsig.DigestMethod;
import javax.xml.crypto.dsig.Transform;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMSignContext;
import javax.xml.crypto.dsig.spec.C14NMethodParameterSpec;
import javax.xml.crypto.dsig.spec.TransformParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class FloorTests {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void eachKindOfWorkIsDoneAgainAndAgainAndTimed(Work work) throws Exception {
    Outcome outcome = Floor.perform(new FloorTask(work, 0.05, response("yes").toString()));

    assertThat(outcome.requests()).isPositive();
    assertThat(outcome.errors()).isZero();
    assertThat(outcome.seconds()).isGreaterThanOrEqualTo(0.05);
  }

  @Test
  void aResponseThatWasChangedIsNoFloor() throws Exception {
    Path response = response("yes");
    Files.writeString(response, Files.readString(response).replace("yes", "no!"));

    assertThatThrownBy(() -> Floor.perform(new FloorTask(Work.SIGN_ON, 0.05, "" + response)))
        .isInstanceOf(IOException.class)
        .hasMessage("a signature of the response is wrong");
  }

  @Test
  void aResponseWhoseAssertionAloneIsSignedIsNoFloor() throws Exception {
    Path response = response("yes");
    String text = Files.readString(response);
    int last = text.lastIndexOf("<Signature ");
    int end = text.lastIndexOf("</Signature>") + "</Signature>".length();
    Files.writeString(response, text.substring(0, last) + text.substring(end));

    assertThatThrownBy(() -> Floor.perform(new FloorTask(Work.SIGN_ON, 0.05, "" + response)))
        .isInstanceOf(IOException.class)
        .hasMessage("Response is not signed");
  }

  /** Signed as providers do: first the assertion, then the response around it. */
  private Path response(String said) throws Exception {
    var credential = ThrowAwayAuthority.in(folder, Clock.systemUTC()).localhost().credential();
    byte[] unsigned =
        ("<p:Response xmlns:p=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"_r\">"
                + "<a:Assertion xmlns:a=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"_a\">"
                + "<a:Subject>"
                + said
                + "</a:Subject></a:Assertion></p:Response>")
            .getBytes(StandardCharsets.UTF_8);
    Document document =
        ((XmlDocument.Parsed) SafeXml.parse(unsigned, XmlLimits.ofBytes(4096))).document();
    Element response = document.getDocumentElement();
    Element assertion = (Element) response.getFirstChild();
    response.setIdAttribute("ID", true);
    assertion.setIdAttribute("ID", true);
    sign(assertion, "#_a", credential.key(), credential.certificate());
    sign(response, "#_r", credential.key(), credential.certificate());
    return Files.writeString(folder.resolve("response.xml"), XmlText.fragment(response));
  }

  private static void sign(
      Element owner, String reference, PrivateKey key, X509Certificate certificate)
      throws Exception {
    var factory = XMLSignatureFactory.getInstance("DOM");
    var keys = factory.getKeyInfoFactory();
    String algorithm =
        key.getAlgorithm().equals("RSA")
            ? "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
            : "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256";
    factory
        .newXMLSignature(
            factory.newSignedInfo(
                factory.newCanonicalizationMethod(
                    CanonicalizationMethod.EXCLUSIVE, (C14NMethodParameterSpec) null),
                factory.newSignatureMethod(algorithm, null),
                List.of(
                    factory.newReference(
                        reference,
                        factory.newDigestMethod(DigestMethod.SHA256, null),
                        List.of(
                            factory.newTransform(
                                Transform.ENVELOPED, (TransformParameterSpec) null),
                            factory.newTransform(
                                CanonicalizationMethod.EXCLUSIVE, (TransformParameterSpec) null)),
                        null,
                        null))),
            keys.newKeyInfo(List.of(keys.newX509Data(List.of(certificate)))))
        .sign(new DOMSignContext(key, owner));
  }
}
