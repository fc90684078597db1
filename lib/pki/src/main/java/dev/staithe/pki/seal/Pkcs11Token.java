package dev.staithe.pki.seal;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where to find a key in a hardware security module, or in what takes its place.
 *
 * @param library the module's PKCS#11 library, a shared object; its path has no line ends, quotes
 *     or braces
 * @param slot which token: by the label it was given, or by number
 * @param pinFile its first line is the user's PIN
 * @param keyLabel the label of the certificate, or null where the token holds one key only
 */
public record Pkcs11Token(Path library, Slot slot, Path pinFile, @Nullable String keyLabel) {
  /** Which of a library's tokens. */
  public sealed interface Slot {
    /**
     * The one that was given this label.
     *
     * @param text 1 to 32 bytes of UTF-8
     */
    record Label(String text) implements Slot {}

    /**
     * The one with this number, as {@code pkcs11-tool --list-slots} shows it.
     *
     * @param number not negative
     */
    record Number(long number) implements Slot {}
  }

  /** Checks the path. */
  public Pkcs11Token {
    if (library.toString().matches("(?s).*[\"'{}\\r\\n#=,$].*")) {
      throw new IllegalArgumentException(
          "the path of a PKCS#11 library has no quotes, braces, dollars or line ends");
    }
  }

  /** Names the token, not its PIN. */
  @Override
  public String toString() {
    return "the token "
        + switch (slot) {
          case Slot.Label label -> "\"" + label.text() + "\"";
          case Slot.Number number -> "in slot " + number.number();
        }
        + " of "
        + library;
  }
}
