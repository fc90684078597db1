package dev.staithe.perf.scenario;

import dev.staithe.perf.lean.FloorTask;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.RequestTally;
import dev.staithe.pki.keys.PrivateKeyOperations;
import dev.staithe.tls.TlsProvider;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import javax.xml.crypto.MarshalException;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureException;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import org.HdrHistogram.Histogram;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Carries out a {@link FloorTask} on one thread, with the JDK's own cryptography but where it says
 * otherwise.
 */
final class Floor {
  private static final String DSIG = XMLSignature.XMLNS;
  private static final String PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
  private static final String ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(1 << 20);

  /** A request for authentication, or what of a certificate is signed. */
  private static final int SIGNED_BYTES = 1024;

  private static final int RSA_BITS = 2048;
  private static final int HASHED_BYTES = 64 * 1024;

  private final FloorTask task;
  private final byte[] signed = new byte[SIGNED_BYTES];
  private final XMLSignatureFactory signatures = XMLSignatureFactory.getInstance("DOM");

  private Floor(FloorTask task) {
    this.task = task;
    new Random(1).nextBytes(signed);
  }

  /** One piece of the work. */
  private interface Piece {
    void run() throws GeneralSecurityException, IOException;
  }

  /**
   * Does it.
   *
   * @throws IOException where the response is none, or is not signed as it should be
   */
  static Outcome perform(FloorTask task) throws IOException {
    return new Floor(task).perform();
  }

  private Outcome perform() throws IOException {
    Histogram times = RequestTally.empty();
    try {
      Piece piece = piece();
      long began = System.nanoTime();
      long end = began + (long) (task.seconds() * 1e9);
      long now = began;
      while (now - end < 0) {
        piece.run();
        long next = System.nanoTime();
        times.recordValue(next - now);
        now = next;
      }
      return new Outcome(
          times.getTotalCount(), 0, 0, (now - began) / 1e9, RequestTally.encoded(times), "", "");
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java cannot do it: " + e.getMessage(), e);
    }
  }

  private Piece piece() throws GeneralSecurityException, IOException {
    return switch (task.work()) {
      case RSA_SIGNATURE -> {
        PrivateKey key = rsaKey();
        yield () -> sign("SHA256withRSA", key);
      }
      case RSA_SIGNATURE_NATIVE -> {
        PrivateKeyOperations key = PrivateKeyOperations.of(rsaKey());
        yield () -> key.sign("SHA256withRSA", signed, 0, signed.length);
      }
      case EC_SIGNATURE -> {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        PrivateKey key = generator.generateKeyPair().getPrivate();
        yield () -> sign("SHA256withECDSA", key);
      }
      case RSA_KEY -> {
        TlsProvider library = TlsProvider.choose(TlsProvider.Choice.AUTO);
        yield () -> library.rsaKeyPair(RSA_BITS);
      }
      case PRIVATE_KEYS -> gateway()::privateKeys;
      case PUBLIC_KEYS -> gateway()::publicKeys;
      case SYMMETRIC -> gateway()::symmetric;
      case SHA_256 -> {
        long length = Files.size(Path.of(task.file()));
        yield () -> hash(length);
      }
      case SIGN_ON -> {
        PrivateKey key = rsaKey();
        byte[] response = Files.readAllBytes(Path.of(task.file()));
        PublicKey provider = signer(parsed(response));
        yield () -> {
          sign("SHA256withRSA", key);
          verify(parsed(response), provider);
        };
      }
    };
  }

  private static GatewayFloor gateway() throws GeneralSecurityException {
    return new GatewayFloor(TlsProvider.choose(TlsProvider.Choice.AUTO).rsaKeyPair(RSA_BITS));
  }

  private static PrivateKey rsaKey() throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(RSA_BITS);
    return generator.generateKeyPair().getPrivate();
  }

  /**
   * The same piece again and again, which the processor's cache holds as it does that of a server.
   */
  private static void hash(long length) throws GeneralSecurityException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    byte[] piece = new byte[HASHED_BYTES];
    for (long left = length; left > 0; left -= piece.length) {
      digest.update(piece, 0, (int) Math.min(left, piece.length));
    }
    digest.digest();
  }

  private void sign(String algorithm, PrivateKey key) throws GeneralSecurityException {
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(signed);
    signature.sign();
  }

  private static Document parsed(byte[] response) throws IOException {
    if (SafeXml.parse(response, LIMITS) instanceof XmlDocument.Parsed(Document document)) {
      return document;
    }
    throw new IOException("the response cannot be parsed");
  }

  /** The key of the certificate in the first signature; whose it is does not matter here. */
  private static PublicKey signer(Document document) throws GeneralSecurityException, IOException {
    Node certificate = document.getElementsByTagNameNS(DSIG, "X509Certificate").item(0);
    if (certificate == null) {
      throw new IOException("the response is not signed, or without a certificate");
    }
    byte[] encoded = Base64.getMimeDecoder().decode(certificate.getTextContent());
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(encoded))
        .getPublicKey();
  }

  private void verify(Document document, PublicKey key) throws IOException {
    List<Element> owners = new ArrayList<>();
    owners.add(document.getDocumentElement());
    owners.add((Element) document.getElementsByTagNameNS(ASSERTION, "Assertion").item(0));
    if (!PROTOCOL.equals(owners.getFirst().getNamespaceURI()) || owners.getLast() == null) {
      throw new IOException("no response with an assertion");
    }
    for (Element owner : owners) {
      owner.setIdAttribute("ID", true);
    }
    try {
      for (Element owner : owners) {
        var context = new DOMValidateContext(key, signature(owner));
        if (!signatures.unmarshalXMLSignature(context).validate(context)) {
          throw new IOException("a signature of the response is wrong");
        }
      }
    } catch (MarshalException | XMLSignatureException e) {
      throw new IOException("a signature cannot be read: " + e.getMessage(), e);
    }
  }

  private static Element signature(Element owner) throws IOException {
    for (Node each = owner.getFirstChild(); each != null; each = each.getNextSibling()) {
      if (each instanceof Element element
          && DSIG.equals(element.getNamespaceURI())
          && "Signature".equals(element.getLocalName())) {
        return element;
      }
    }
    throw new IOException(owner.getLocalName() + " is not signed");
  }
}
