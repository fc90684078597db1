package dev.staithe.pki.ca;

import dev.staithe.pki.KeyRules;
import dev.staithe.pki.KeyRules.KeyVerdict;
import dev.staithe.pki.ca.CertificateRequest.Accepted;
import dev.staithe.pki.ca.CertificateRequest.Refused;
import dev.staithe.pki.ca.CertificateRequest.Requested;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.Attribute;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;

/** Takes requests for certificates apart. What a stranger sent is never part of an answer. */
final class RequestReader {
  private static final Pattern PEM =
      Pattern.compile(
          "-----BEGIN (NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\\s]*)"
              + "-----END (NEW )?CERTIFICATE REQUEST-----");

  private static final Pattern SPACE = Pattern.compile("\\s+");

  /** What Windows calls the extension request. */
  private static final ASN1ObjectIdentifier MICROSOFT_EXTENSIONS =
      new ASN1ObjectIdentifier("1.3.6.1.4.1.311.2.1.14");

  private static final int LONGEST_SUBJECT = 256;

  /** A name of more bytes than this is no name. */
  private static final int MOST_SUBJECT_BYTES = 2048;

  /** The proofs that count: SHA-256 or better. */
  private static final Map<ASN1ObjectIdentifier, String> PROOFS =
      Map.of(
          PKCSObjectIdentifiers.sha256WithRSAEncryption, "SHA256withRSA",
          PKCSObjectIdentifiers.sha384WithRSAEncryption, "SHA384withRSA",
          PKCSObjectIdentifiers.sha512WithRSAEncryption, "SHA512withRSA",
          X9ObjectIdentifiers.ecdsa_with_SHA256, "SHA256withECDSA",
          X9ObjectIdentifiers.ecdsa_with_SHA384, "SHA384withECDSA",
          X9ObjectIdentifiers.ecdsa_with_SHA512, "SHA512withECDSA");

  private final KeyRules rules;
  private final List<Requested> mandated;

  RequestReader(KeyRules rules, List<Requested> mandated) {
    this.rules = rules;
    this.mandated = mandated;
  }

  /** Why a request is refused; carries the line only. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final String line;

    Refusal(String line) {
      super(line, null, false, false);
      this.line = line;
    }
  }

  CertificateRequest read(byte[] bytes) {
    if (bytes.length > CertificateRequest.MAX_BYTES) {
      return new Refused(
          "the certificate request is larger than " + CertificateRequest.MAX_BYTES + " bytes");
    }
    try {
      var request = new PKCS10CertificationRequest(der(bytes));
      PublicKey key =
          switch (rules.judge(request.getSubjectPublicKeyInfo())) {
            case KeyVerdict.Accepted fit -> fit.key();
            case KeyVerdict.Refused unfit ->
                throw new Refusal("the key of the certificate request " + unfit.line());
          };
      prove(request, key);
      String subject = subject(request);
      return new Accepted(key, subject, extensions(request));
    } catch (Refusal refusal) {
      return new Refused(refusal.line);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // Its decoder fails in many ways on what it does not expect; none of them says more to a
      // caller.
      return new Refused(
          "the certificate request cannot be read: expected PKCS#10 as PEM, Base64 or DER");
    }
  }

  private static byte[] der(byte[] bytes) throws Refusal {
    if (bytes.length > 1 && bytes[0] == 0x30 && bytes[1] < 0) {
      // A SEQUENCE with a long length; in a text it would be a zero and no text.
      return bytes;
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (text.contains("-----BEGIN") && text.contains("PRIVATE KEY-----")) {
      // It has travelled, and stands in who knows which files by now.
      throw new Refusal(
          "a private key was sent with the certificate request and must not be used any more: make"
              + " a new key, and send the request alone");
    }
    if (text.contains("-----")) {
      var block = PEM.matcher(text);
      if (!block.find()) {
        throw new Refusal("the PEM holds no block -----BEGIN CERTIFICATE REQUEST-----");
      }
      text = block.group(2);
      if (block.find()) {
        throw new Refusal("the PEM holds more than one certificate request");
      }
    }
    return Base64.getDecoder().decode(SPACE.matcher(text).replaceAll(""));
  }

  /** RFC 2986 §4.2: the signature proves that who asks has the private key. */
  private void prove(PKCS10CertificationRequest request, PublicKey key) throws Refusal {
    ASN1ObjectIdentifier named = request.getSignatureAlgorithm().getAlgorithm();
    String algorithm =
        rules.legacy() && named.equals(PKCSObjectIdentifiers.sha1WithRSAEncryption)
            ? "SHA1withRSA"
            : PROOFS.get(named);
    if (algorithm == null) {
      throw new Refusal(
          "the certificate request is signed in another way than RSA (PKCS#1) or ECDSA with SHA-256"
              + " or better");
    }
    try {
      var verifier = Signature.getInstance(algorithm);
      verifier.initVerify(key);
      verifier.update(
          request.toASN1Structure().getCertificationRequestInfo().getEncoded(ASN1Encoding.DER));
      if (verifier.verify(request.getSignature())) {
        return;
      }
    } catch (GeneralSecurityException | IOException e) {
      // A signature of another kind of key, or one that is no signature at all.
    }
    throw new Refusal("the certificate request is not signed with the key it names");
  }

  private static String subject(PKCS10CertificationRequest request) throws Refusal, IOException {
    byte[] encoded = request.getSubject().getEncoded(ASN1Encoding.DER);
    if (encoded.length > MOST_SUBJECT_BYTES) {
      throw new Refusal("the certificate request asks for a subject that is too long");
    }
    String name = new X500Principal(encoded).getName(X500Principal.RFC2253);
    if (name.codePoints().anyMatch(c -> Character.isISOControl(c) || c == 0xfffd)) {
      throw new Refusal("the certificate request asks for a subject with control characters");
    }
    return name.length() > LONGEST_SUBJECT ? name.substring(0, LONGEST_SUBJECT) : name;
  }

  private List<Requested> extensions(PKCS10CertificationRequest request)
      throws Refusal, IOException {
    var found = new ArrayList<Requested>();
    for (Attribute attribute : request.getAttributes()) {
      var type = attribute.getAttrType();
      if (!type.equals(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest)
          && !type.equals(MICROSOFT_EXTENSIONS)) {
        // A challenge password or what a client says about itself.
        continue;
      }
      for (var value : attribute.getAttributeValues()) {
        Extensions asked = Extensions.getInstance(value);
        for (ASN1ObjectIdentifier oid : asked.getExtensionOIDs()) {
          Extension extension = asked.getExtension(oid);
          var one =
              new Requested(
                  oid.getId(), extension.isCritical(), extension.getExtnValue().getOctets());
          if (!mandated.contains(one)) {
            refuseHarmful(extension);
          }
          found.add(one);
        }
      }
    }
    return found;
  }

  /** What a usual client asks for anyway may stand there; it changes nothing. */
  private static void refuseHarmful(Extension extension) throws Refusal {
    var oid = extension.getExtnId();
    if (oid.equals(Extension.basicConstraints)) {
      if (BasicConstraints.getInstance(extension.getParsedValue()).isCA()) {
        throw new Refusal("the certificate request asks to become an authority (CA:TRUE)");
      }
    } else if (oid.equals(Extension.keyUsage)) {
      if (KeyUsage.getInstance(extension.getParsedValue()).hasUsages(KeyUsage.keyCertSign)
          || KeyUsage.getInstance(extension.getParsedValue()).hasUsages(KeyUsage.cRLSign)) {
        throw new Refusal("the certificate request asks for the key usage of an authority");
      }
    } else if (oid.equals(Extension.extendedKeyUsage)) {
      for (KeyPurposeId purpose :
          ExtendedKeyUsage.getInstance(extension.getParsedValue()).getUsages()) {
        if (!purpose.equals(KeyPurposeId.id_kp_clientAuth)
            && !purpose.equals(KeyPurposeId.id_kp_emailProtection)) {
          throw new Refusal(
              "the certificate request asks for another extended key usage than clientAuth");
        }
      }
    } else if (oid.equals(Extension.subjectAlternativeName)) {
      throw new Refusal("the certificate request asks for a subjectAltName, which the login gives");
    } else if (!oid.equals(Extension.subjectKeyIdentifier)) {
      throw new Refusal(
          "the certificate request asks for an extension that is not given: ask for none");
    }
  }
}
