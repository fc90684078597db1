package dev.staithe.perf.peers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The settings of one of our services while it is measured, with words between two @. */
public final class SettingsTemplate {
  private SettingsTemplate() {}

  /**
   * Fills in one of a service that has the certificates of a site.
   *
   * @param name of the file beside this class
   * @param folder of its own
   * @param more what there is besides the folder, the port and the files of the site
   */
  public static String filled(String name, Site site, Path folder, int port, Map<String, ?> more)
      throws IOException {
    var values = new HashMap<String, Object>(more);
    values.put("folder", folder.toAbsolutePath());
    values.put("port", port);
    values.put("certificate", site.certificate().toAbsolutePath());
    values.put("key", site.key().toAbsolutePath());
    values.put("authority", site.authority().toAbsolutePath());
    values.put("clients", site.clients().toAbsolutePath());
    values.put("issuer", Site.ISSUER);
    values.put("jwks", site.jwks().toAbsolutePath());
    return filled(name, values);
  }

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
