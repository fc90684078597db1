package dev.staithe.perf.peers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The settings of one of our services while it is measured, with words between two @. */
public final class SettingsTemplate {
  private SettingsTemplate() {}

  /**
   * Fills one in.
   *
   * @param name of the file beside this class
   * @param values by the words
   */
  public static String filled(String name, Map<String, ?> values) throws IOException {
    try (InputStream in = SettingsTemplate.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not in the jar");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (Map.Entry<String, ?> value : values.entrySet()) {
        text = text.replace("@" + value.getKey() + "@", value.getValue().toString());
      }
      return text;
    }
  }
}
