package dev.staithe.contracts;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A fresh key that a person's own has vouched for: it signs her messages of one transfer.
 * Thread-safe.
 *
 * @param key that signs
 * @param properties by which hers vouches for it
 * @param clock tells when
 */
record PersonSigner(ContractKey key, PersonProperties properties, Clock clock) {
  private static final Duration LIFETIME = Duration.ofMinutes(5);

  /**
   * Makes the key.
   *
   * @param values that the person states
   * @throws BadSignature with one line where the certificate does not fit
   */
  static PersonSigner of(Credential person, Map<String, Object> values, Clock clock)
      throws BadSignature {
    KeyPair pair = KeyKind.EC_P256.generate();
    ContractKey key =
        ContractKey.of((ECPrivateKey) pair.getPrivate(), (ECPublicKey) pair.getPublic());
    return new PersonSigner(
        key, PersonProperties.sign(person, key.publicKey(), values, clock.instant()), clock);
  }

  /** Signs the fields of a request, and adds what that gives. */
  MessageSignature sign(
      String method, String url, Map<String, String> fields, SignatureProfile profile)
      throws BadSignature {
    MessageSignature signature =
        MessageSignature.sign(
            request(method, url, fields),
            key,
            new MessageSignature.Wanted(
                "person",
                profile.covered(),
                clock.instant(),
                LIFETIME,
                UUID.randomUUID().toString(),
                profile.tag()));
    fields.put("Signature-Input", signature.inputField());
    fields.put("Signature", signature.signatureField());
    return signature;
  }

  /** A request with those fields. */
  static SignedMessage request(String method, String url, Map<String, String> fields) {
    Map<String, List<String>> lists = new HashMap<>();
    fields.forEach((name, value) -> lists.put(name, List.of(value)));
    return SignedMessage.request(method, url, lists);
  }

  /**
   * What a contract says of a credential.
   *
   * @param authorization as it is sent; empty: none is
   * @return its SHA-256 in hexadecimal; empty for none
   */
  static String token(String authorization) {
    return authorization.isEmpty()
        ? ""
        : HexFormat.of().formatHex(Hash.of(authorization.getBytes(StandardCharsets.UTF_8)));
  }
}
