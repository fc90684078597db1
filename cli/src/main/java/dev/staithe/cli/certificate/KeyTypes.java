package dev.staithe.cli.certificate;

import dev.staithe.cli.program.Page;
import dev.staithe.pki.KeyKind;
import java.io.IOException;

/** Kinds of keys, as people name them. */
public final class KeyTypes {
  private KeyTypes() {}

  /**
   * Reads {@code ec}, {@code rsa} or {@code rsa-3072}.
   *
   * @throws IOException where it is none of these
   */
  public static KeyKind read(String name) throws IOException {
    return switch (name) {
      case "ec" -> KeyKind.EC_P256;
      case "rsa" -> KeyKind.RSA_2048;
      case "rsa-3072" -> KeyKind.RSA_3072;
      default ->
          throw new IOException("--key-type " + Page.oneLine(name) + ": ec, rsa or rsa-3072");
    };
  }
}
