package dev.staithe.storage.pages;

import java.util.Locale;

/** Sizes for people: multiples of 1024 with IEC prefixes, and the exact number beside. */
final class Sizes {
  private static final String PREFIXES = "KMGTPE";

  private Sizes() {}

  /** Three or four significant digits, such as {@code 1.5 MiB}; whole bytes below 1 KiB. */
  static String human(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes;
    int prefix = -1;
    // What would be rounded to 1024.0 belongs to the next prefix.
    while (value >= 1023.95 && prefix < PREFIXES.length() - 1) {
      value /= 1024;
      prefix++;
    }
    return String.format(Locale.ROOT, "%.1f %ciB", value, PREFIXES.charAt(prefix));
  }

  /** All digits in groups of three, such as {@code 1,234,567 bytes}. */
  static String exact(long bytes) {
    return bytes == 1 ? "1 byte" : String.format(Locale.ROOT, "%,d bytes", bytes);
  }
}
