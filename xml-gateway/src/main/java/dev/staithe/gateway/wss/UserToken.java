package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Surroundings;
import dev.staithe.xml.Elements;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.common.util.UsernameTokenUtil;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * A {@code wsse:UsernameToken} (WSS UsernameToken profile 1.1 section 3) that stands for a user.
 *
 * @param password null without
 * @param type of the password; empty where it is not said, which means text
 */
record UserToken(
    String username,
    @Nullable String password,
    String type,
    @Nullable Element nonce,
    @Nullable Element created,
    int nonceBytes) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int LONGEST = 1_024;

  static UserToken read(Element token, Expectation.Limits limits) throws RefusedMessage {
    Element username = Elements.child(token, Namespaces.WSSE, "Username");
    Element password = Elements.child(token, Namespaces.WSSE, "Password");
    String name = username == null ? "" : Elements.text(username).strip();
    if (name.isEmpty() || name.length() > LONGEST) {
      throw new RefusedMessage(Refusal.TOKEN, "a user's token without a name");
    }
    return new UserToken(
        name,
        password == null ? null : Elements.text(password),
        password == null ? "" : Elements.attribute(password, "Type"),
        Elements.child(token, Namespaces.WSSE, "Nonce"),
        Elements.child(token, Namespaces.WSU, "Created"),
        limits.nonceBytes());
  }

  /**
   * A password in the clear.
   *
   * @param message that the token is in
   * @return what must never come again while the time would be taken: the nonce, or where there is
   *     a time alone the very message; null where there is neither
   */
  Findings.@Nullable Once checkText(
      Surroundings.Passwords passwords, byte[] message, Instant now, Expectation.Limits limits)
      throws RefusedMessage {
    if (password == null || !(type.isEmpty() || type.endsWith("#PasswordText"))) {
      throw new RefusedMessage(Refusal.POLICY, "a password of another form than is demanded");
    }
    TreeTime freshness = null;
    if (created != null) {
      freshness = new TreeTime(TreeTime.instant(created), null);
      freshness.check(now, limits);
    }
    char[] text = password.toCharArray();
    if (text.length > LONGEST || !passwords.check(username, text)) {
      throw wrong();
    }
    // Nothing is computed with it: whatever a client takes for a nonce is one.
    String random = nonce == null ? "" : Elements.text(nonce).strip();
    if (random.isEmpty() && freshness == null) {
      return null;
    }
    byte[] once =
        random.isEmpty()
            ? Octets.sha256("message".getBytes(StandardCharsets.US_ASCII), message)
            : Octets.sha256(
                "text nonce".getBytes(StandardCharsets.US_ASCII),
                Octets.sha256(random.getBytes(StandardCharsets.UTF_8)),
                username.getBytes(StandardCharsets.UTF_8));
    TreeTime from = freshness == null ? new TreeTime(now, null) : freshness;
    return new Findings.Once(once, from.until(limits));
  }

  /**
   * A digest of password, nonce and time.
   *
   * @return the nonce, which must never come again while the time would be taken
   */
  Findings.Once checkDigest(
      Surroundings.Passwords passwords, Instant now, Expectation.Limits limits)
      throws RefusedMessage {
    if (password == null || !type.endsWith("#PasswordDigest")) {
      throw new RefusedMessage(Refusal.POLICY, "a password of another form than is demanded");
    }
    if (nonce == null || created == null) {
      throw new RefusedMessage(Refusal.POLICY, "a digest without a nonce and a time");
    }
    byte[] random = Octets.decode(nonce, Refusal.TOKEN);
    if (random.length == 0 || random.length > nonceBytes) {
      throw new RefusedMessage(Refusal.LIMIT, "a nonce beyond the limits");
    }
    var freshness = new TreeTime(TreeTime.instant(created), null);
    freshness.check(now, limits);
    byte[] known = passwords.of(username);
    byte[] secret = known == null ? random() : known;
    byte[] digest;
    try {
      digest = UsernameTokenUtil.doRawPasswordDigest(random, Elements.text(created), secret);
    } catch (WSSecurityException e) {
      throw wrong();
    }
    byte[] sent = password.strip().getBytes(StandardCharsets.UTF_8);
    byte[] right = Base64.getEncoder().encode(digest);
    if (!MessageDigest.isEqual(sent, right) || known == null) {
      throw wrong();
    }
    return new Findings.Once(
        Octets.sha256(
            "nonce".getBytes(StandardCharsets.US_ASCII),
            random,
            username.getBytes(StandardCharsets.UTF_8)),
        freshness.until(limits));
  }

  /** No password: others vouch for the name. */
  void checkNone() throws RefusedMessage {
    if (password != null) {
      throw new RefusedMessage(Refusal.POLICY, "a password that is not asked for");
    }
  }

  @Override
  public String toString() {
    return "UserToken[" + username + "]";
  }

  private static byte[] random() {
    byte[] random = new byte[32];
    RANDOM.nextBytes(random);
    return random;
  }

  private static RefusedMessage wrong() {
    return new RefusedMessage(Refusal.AUTHENTICATION, "a name or password that is not right");
  }
}
