package dev.staithe.authn.users;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which passwords may be set: length counts, composition does not (NIST SP 800-63B section
 * 5.1.1.2). Passwords that are in use already are not judged.
 */
final class PasswordPolicy {
  static final int SHORTEST = 12;
  static final int LONGEST_BYTES = 512;

  /** The common ones that are long enough; repetitions and runs are found by rule. */
  private static final Set<String> COMMON =
      Set.of(
          "passwordpassword",
          "password1234",
          "password12345",
          "password123456",
          "passw0rdpassw0rd",
          "qwertyuiop12",
          "qwertyuiop123",
          "qwertyuiopasdf",
          "qwertyuiopasdfghjkl",
          "qwertyqwerty",
          "1q2w3e4r5t6y",
          "1qaz2wsx3edc",
          "1qaz2wsx3edc4rfv",
          "zaq12wsxcde3",
          "letmeinletmein",
          "iloveyouiloveyou",
          "administrator",
          "administrator1",
          "changemechangeme",
          "correcthorsebatterystaple",
          "welcomewelcome",
          "trustno1trustno1");

  private PasswordPolicy() {}

  /** Why it may not be set, one line; empty where it may. */
  static Optional<String> objection(String user, byte[] password) {
    if (password.length > LONGEST_BYTES) {
      return Optional.of("a password has at most " + LONGEST_BYTES + " bytes");
    }
    String text = new String(password, StandardCharsets.UTF_8);
    if (text.codePointCount(0, text.length()) < SHORTEST) {
      return Optional.of("a password has at least " + SHORTEST + " characters");
    }
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.equals(user)) {
      return Optional.of("a password is not the user's name");
    }
    if (COMMON.contains(lower) || text.chars().distinct().count() < 4 || isRun(text)) {
      return Optional.of("this password is among the first that are guessed");
    }
    return Optional.empty();
  }

  /** As 123456789012 or abcdefghijkl: each character the one after the one before. */
  private static boolean isRun(String text) {
    int breaks = 0;
    for (int i = 1; i < text.length(); i++) {
      if (Math.abs(text.charAt(i) - text.charAt(i - 1)) != 1) {
        breaks++;
      }
    }
    return breaks <= 1 + text.length() / 10;
  }
}
