package dev.staithe.wss.client;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.SecurityElements;
import dev.staithe.wss.crypto.OwnKey;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.SupportingToken;
import dev.staithe.xml.Octets;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one message shows beside its main signature. */
final class SupportingTokens {
  /** One in the security header, in canonical form. */
  record Made(String id, String canonical, boolean signed, boolean encrypted) {}

  private static final String USER_ID = "st-user";
  private static final String ENDORSER_ID = "st-endorser";

  private final Holder holder;
  private final KeyMaker keys;
  private final AlgorithmSuite suite;
  private final Instant now;
  private final List<Made> plain = new ArrayList<>(2);
  private @Nullable OwnKey endorser;

  SupportingTokens(Holder holder, KeyMaker keys, AlgorithmSuite suite, Instant now) {
    this.holder = holder;
    this.keys = keys;
    this.suite = suite;
    this.now = now;
  }

  void add(SupportingToken token) throws UnusableMessage {
    switch (token.kind()) {
      case USERNAME_TEXT -> user(token, password("PasswordText", holder.userPassword()));
      case USERNAME_DIGEST -> user(token, digest());
      case USERNAME_ONLY -> user(token, "");
      case X509 -> {
        OwnKey own = keys.own();
        if (token.endorsing()) {
          endorser = own;
        } else {
          plain.add(
              new Made(
                  ENDORSER_ID,
                  KeyMaker.binaryToken(ENDORSER_ID, own),
                  token.signed(),
                  token.encrypted()));
        }
      }
      case BEARER -> {
        if (holder.token() == null) {
          throw new UnusableMessage("the policy demands a token of authn-service");
        }
      }
    }
  }

  List<Made> plain() {
    return plain;
  }

  boolean endorses() {
    return endorser != null;
  }

  private void user(SupportingToken token, String proof) throws UnusableMessage {
    if (token.endorsing()) {
      throw new UnusableMessage("the policy demands that a user's name endorses");
    }
    String canonical =
        "<wsse:UsernameToken xmlns:wsse=\""
            + Namespaces.WSSE
            + "\" xmlns:wsu=\""
            + Namespaces.WSU
            + "\" wsu:Id=\""
            + USER_ID
            + "\"><wsse:Username>"
            + SecurityElements.text(holder.userName())
            + "</wsse:Username>"
            + proof
            + "</wsse:UsernameToken>";
    plain.add(new Made(USER_ID, canonical, token.signed(), token.encrypted()));
  }

  /** WSS 1.1 UsernameToken profile section 3.1: SHA-1 of nonce, time and password. */
  private String digest() throws UnusableMessage {
    byte[] nonce = Primitives.random(16);
    String created = now.truncatedTo(ChronoUnit.MILLIS).toString();
    MessageDigest sha1 = Primitives.digest(Namespaces.DS + "sha1");
    sha1.update(nonce);
    sha1.update(created.getBytes(StandardCharsets.UTF_8));
    sha1.update(holder.userPassword());
    String digest = SecurityElements.base64(sha1.digest());
    return password("PasswordDigest", digest.getBytes(StandardCharsets.UTF_8))
        + "<wsse:Nonce EncodingType=\""
        + SecurityElements.BASE64
        + "\">"
        + SecurityElements.base64(nonce)
        + "</wsse:Nonce><wsu:Created>"
        + created
        + "</wsu:Created>";
  }

  private static String password(String type, byte[] value) {
    return "<wsse:Password Type=\""
        + SecurityElements.WSS_10
        + "username-token-profile-1.0#"
        + type
        + "\">"
        + SecurityElements.text(new String(value, StandardCharsets.UTF_8))
        + "</wsse:Password>";
  }

  /**
   * The endorser's certificate and its signature.
   *
   * @param references what it covers
   * @param values to which the signature's value is added
   */
  String endorsement(Octets references, List<byte[]> values)
      throws UnusableMessage, GeneralSecurityException {
    OwnKey own = keys.own();
    String algorithm = own.signature(suite);
    var out = new Octets(references.size() + 2048);
    values.add(
        SecurityElements.signature(
            "st-endorsement",
            algorithm,
            references,
            (data, from, length) -> own.sign(algorithm, data, from, length),
            KeyMaker.tokenReference(own, ENDORSER_ID),
            out));
    return KeyMaker.binaryToken(ENDORSER_ID, own)
        + new String(out.toByteArray(), StandardCharsets.UTF_8);
  }
}
