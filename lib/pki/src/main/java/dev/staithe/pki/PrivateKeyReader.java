package dev.staithe.pki;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.util.io.pem.PemHeader;
import org.bouncycastle.util.io.pem.PemObject;
import org.jspecify.annotations.Nullable;

/** Finds the private key among the blocks of one PEM text. Not thread-safe. */
final class PrivateKeyReader {
  private final String name;
  private @Nullable ASN1Primitive curve;
  private @Nullable PrivateKey key;

  PrivateKeyReader(String name) {
    this.name = name;
  }

  void accept(PemObject block) throws PemException {
    switch (block.getType()) {
      case "EC PARAMETERS" -> curve = decode(block);
      case "PRIVATE KEY" -> found(block);
      case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> {
        refuseEncrypted(block);
        found(block);
      }
      case "ENCRYPTED PRIVATE KEY" -> throw encrypted();
      default -> {
        // A certificate, or explanations: not ours.
      }
    }
  }

  PrivateKey key() throws PemException {
    if (key == null) {
      throw new PemException(
          name + " holds no private key: expected PKCS#8, PKCS#1 RSA or SEC 1 EC, not encrypted");
    }
    return key;
  }

  private void found(PemObject block) throws PemException {
    if (key != null) {
      throw new PemException(name + " holds more than one private key: expected one");
    }
    try {
      var info =
          switch (block.getType()) {
            case "RSA PRIVATE KEY" ->
                new PrivateKeyInfo(
                    new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                    RSAPrivateKey.getInstance(block.getContent()));
            case "EC PRIVATE KEY" -> sec1(ECPrivateKey.getInstance(block.getContent()));
            default -> PrivateKeyInfo.getInstance(block.getContent());
          };
      key =
          KeyFactory.getInstance(algorithm(info.getPrivateKeyAlgorithm().getAlgorithm()))
              .generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
    } catch (PemException e) {
      throw e;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      // No cause: a decoder's message can quote what it failed on, and that is the key.
      throw new PemException(name + " holds a private key that cannot be decoded");
    }
  }

  /** RFC 5915 §3: the curve stands in the key or, as OpenSSL writes it, in a block before it. */
  private PrivateKeyInfo sec1(ECPrivateKey ec) throws IOException {
    ASN1Encodable parameters = ec.getParametersObject();
    if (parameters == null) {
      parameters = curve;
    }
    if (parameters == null) {
      throw new PemException(name + " holds an EC private key that does not name its curve");
    }
    return new PrivateKeyInfo(
        new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, parameters), ec);
  }

  private String algorithm(ASN1ObjectIdentifier identifier) throws PemException {
    if (identifier.equals(PKCSObjectIdentifiers.rsaEncryption)) {
      return "RSA";
    }
    if (identifier.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
      return "EC";
    }
    throw new PemException(
        name + " holds a private key of algorithm " + identifier.getId() + ": expected RSA or EC");
  }

  private void refuseEncrypted(PemObject block) throws PemException {
    for (Object header : block.getHeaders()) {
      if (header instanceof PemHeader line && line.getValue().contains("ENCRYPTED")) {
        throw encrypted();
      }
    }
  }

  private PemException encrypted() {
    return new PemException(
        name + " holds an encrypted private key: expected one without a passphrase");
  }

  private ASN1Primitive decode(PemObject block) throws PemException {
    try {
      return ASN1Primitive.fromByteArray(block.getContent());
    } catch (IOException | RuntimeException e) {
      throw new PemException(name + " holds EC parameters that cannot be decoded");
    }
  }
}
