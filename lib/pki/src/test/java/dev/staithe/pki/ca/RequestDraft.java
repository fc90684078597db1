package dev.staithe.pki.ca;

import java.io.ByteArrayOutputStream;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.pkcs.Attribute;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.pkcs.CertificationRequestInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;

/** Puts together requests for certificates that no honest tool would make. */
final class RequestDraft {
  private final SubjectPublicKeyInfo key;
  private final PrivateKey signer;
  private String algorithm;
  private X500Name subject = new X500Name("CN=ignored");
  private final List<Extension> extensions = new ArrayList<>();

  RequestDraft(SubjectPublicKeyInfo key, PrivateKey signer) {
    this.key = key;
    this.signer = signer;
    this.algorithm = signer.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
  }

  static RequestDraft of(KeyPair keys) {
    return new RequestDraft(
        SubjectPublicKeyInfo.getInstance(keys.getPublic().getEncoded()), keys.getPrivate());
  }

  RequestDraft algorithm(String name) {
    algorithm = name;
    return this;
  }

  RequestDraft subject(X500Name name) {
    subject = name;
    return this;
  }

  RequestDraft extension(ASN1ObjectIdentifier oid, ASN1Encodable value) throws Exception {
    extensions.add(new Extension(oid, false, value.toASN1Primitive().getEncoded("DER")));
    return this;
  }

  byte[] der() throws Exception {
    var attributes = new DERSet();
    if (!extensions.isEmpty()) {
      attributes =
          new DERSet(
              new Attribute(
                  PKCSObjectIdentifiers.pkcs_9_at_extensionRequest,
                  new DERSet(new Extensions(extensions.toArray(Extension[]::new)))));
    }
    var info = new CertificationRequestInfo(subject, key, attributes);
    var signature = Signature.getInstance(algorithm);
    signature.initSign(signer);
    signature.update(info.getEncoded("DER"));
    AlgorithmIdentifier identifier =
        new DefaultSignatureAlgorithmIdentifierFinder().find(algorithm);
    return new CertificationRequest(info, identifier, new DERBitString(signature.sign()))
        .getEncoded("DER");
  }

  String pem(String label) throws Exception {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder().encodeToString(der())
        + "\n-----END "
        + label
        + "-----\n";
  }

  /** Many sequences, each in the one before. */
  static byte[] nested(int levels) {
    var out = new ByteArrayOutputStream();
    for (int i = 0; i < levels; i++) {
      out.write(0x30);
      out.write(0x80);
    }
    return out.toByteArray();
  }

  static SubjectPublicKeyInfo info(ASN1ObjectIdentifier algorithm, ASN1Encodable key)
      throws Exception {
    return new SubjectPublicKeyInfo(new AlgorithmIdentifier(algorithm, DERNull.INSTANCE), key);
  }

  static DERSequence sequence(ASN1Encodable... parts) {
    return new DERSequence(parts);
  }
}
