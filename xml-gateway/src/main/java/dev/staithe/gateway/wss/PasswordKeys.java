package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Surroundings;
import dev.staithe.xml.Elements;
import java.security.SecureRandom;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.common.util.UsernameTokenUtil;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Keys from passwords (WSS 1.1 UsernameToken profile section 4). */
final class PasswordKeys {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int DEFAULT_ITERATIONS = 1_000;
  private static final int MOST_DIGITS = 7;

  private PasswordKeys() {}

  /**
   * Derives the key. A user who is not known gets a random password, so that what follows takes its
   * course and fails as it does with any wrong password.
   */
  static TreeKey.OfPassword derive(
      Element token, Surroundings.Passwords passwords, Expectation.Limits limits)
      throws RefusedMessage {
    Element username = Elements.child(token, Namespaces.WSSE, "Username");
    Element salted = Elements.child(token, Namespaces.WSSE11, "Salt");
    if (username == null
        || salted == null
        || Elements.child(token, Namespaces.WSSE, "Password") != null) {
      throw new RefusedMessage(Refusal.TOKEN, "a user's token that is no key");
    }
    byte[] salt = Octets.decode(salted, Refusal.TOKEN);
    int iterations = iterations(Elements.child(token, Namespaces.WSSE11, "Iteration"));
    if (salt.length == 0 || salt.length > limits.nonceBytes()) {
      throw new RefusedMessage(Refusal.DERIVATION, "a salt beyond the limits");
    }
    if (iterations < 1 || iterations > limits.iterations()) {
      throw new RefusedMessage(Refusal.DERIVATION, "iterations beyond the limits");
    }
    String name = Elements.text(username).strip();
    byte[] password = passwords.of(name);
    if (password == null) {
      password = new byte[32];
      RANDOM.nextBytes(password);
    }
    try {
      return new TreeKey.OfPassword(
          name, salt, iterations, UsernameTokenUtil.generateDerivedKey(password, salt, iterations));
    } catch (WSSecurityException e) {
      throw new RefusedMessage(Refusal.DERIVATION, "a key that cannot be derived");
    }
  }

  private static int iterations(@Nullable Element iteration) throws RefusedMessage {
    if (iteration == null) {
      return DEFAULT_ITERATIONS;
    }
    String text = Elements.text(iteration).strip();
    if (text.isEmpty()
        || text.length() > MOST_DIGITS
        || !text.chars().allMatch(each -> each >= '0' && each <= '9')) {
      throw new RefusedMessage(Refusal.DERIVATION, "iterations beyond the limits");
    }
    return Integer.parseInt(text);
  }
}
