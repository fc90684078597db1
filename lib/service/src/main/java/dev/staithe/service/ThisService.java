package dev.staithe.service;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Which service this is: its name, and the record that has all its keys below {@code staithe}. Each
 * service says so in {@value #FILE}, as it is asked for before there is a context: by the reader of
 * configuration files, and where a start fails early.
 *
 * @param name of its jar and in its messages
 * @param settings the record of its {@code staithe.*} properties
 * @param gone what to say of keys that earlier versions had, by the key without numbers; said as
 *     {@code gone.KEY}
 */
record ThisService(String name, Class<?> settings, Map<String, String> gone) {
  private static final String FILE = "META-INF/staithe-service.properties";
  private static final String GONE = "gone.";

  /** Read once. */
  private static final class Found {
    private static final ThisService SERVICE = read(ThisService.class.getClassLoader());
  }

  /**
   * The one on the class path.
   *
   * @throws IllegalStateException where a service has forgotten to say what it is
   */
  static ThisService get() {
    return Found.SERVICE;
  }

  private static ThisService read(ClassLoader loader) {
    Properties said = new Properties();
    try (InputStream in = loader.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("a service needs " + FILE + " with name and settings");
      }
      said.load(in);
      return new ThisService(
          said.getProperty("name", "the service"),
          Class.forName(said.getProperty("settings", "none"), false, loader),
          said.stringPropertyNames().stream()
              .filter(key -> key.startsWith(GONE))
              .collect(
                  Collectors.toUnmodifiableMap(
                      key -> key.substring(GONE.length()), said::getProperty)));
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException(FILE + " cannot be used: " + e, e);
    }
  }
}
