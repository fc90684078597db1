package dev.staithe.contracts.person;

import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.FreshKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.pki.Credential;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A fresh key that is vouched for as a person's: it signs her messages of one transfer.
 * Thread-safe.
 */
public final class PersonSigner {
  private static final Duration LIFETIME = Duration.ofMinutes(5);

  private final ContractKey key;
  private final PersonProperties properties;
  private final Clock clock;

  private PersonSigner(ContractKey key, PersonProperties properties, Clock clock) {
    this.key = key;
    this.properties = properties;
    this.clock = clock;
  }

  /**
   * Makes the key, which the certificate's own vouches for.
   *
   * @param values that the person states
   * @throws BadSignature with one line where the certificate does not fit
   */
  public static PersonSigner byCertificate(
      Credential person, Map<String, Object> values, Clock clock) throws BadSignature {
    ContractKey key = FreshKey.make().key();
    return new PersonSigner(
        key, PersonProperties.sign(person, key.publicKey(), values, clock.instant()), clock);
  }

  /**
   * Takes a key that an issuer vouches for.
   *
   * @param idToken that names it
   * @param values that the person states
   * @throws BadSignature with one line where the ID token does not fit
   */
  public static PersonSigner byIdToken(
      FreshKey key, String idToken, Map<String, Object> values, Clock clock) throws BadSignature {
    BoundIdToken token = BoundIdToken.claimed(idToken);
    if (!token.key().id().equals(key.key().id())) {
      throw new BadSignature("the ID token names another key");
    }
    return new PersonSigner(
        key.key(), PersonProperties.sign(token, key.key(), values, clock.instant()), clock);
  }

  /** What she says of herself. */
  public PersonProperties properties() {
    return properties;
  }

  /** By which her messages are of now. */
  public Clock clock() {
    return clock;
  }

  /** Signs the fields of a request, and adds what that gives. */
  public MessageSignature sign(
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
  public static SignedMessage request(String method, String url, Map<String, String> fields) {
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
  public static String token(String authorization) {
    return authorization.isEmpty()
        ? ""
        : HexFormat.of().formatHex(Hash.of(authorization.getBytes(StandardCharsets.UTF_8)));
  }
}
