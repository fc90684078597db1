package dev.staithe.perf.gatling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps Gatling from asking a registry for its newest version whenever it starts. No setting of its
 * own does: but it remembers in the user's preferences that asking failed, and asks no more for a
 * while, which here does not end.
 */
public final class QuietGatling {
  private static final String ASKED_IN_VAIN =
      """
      <?xml version="1.0" encoding="UTF-8" standalone="no"?>
      <!DOCTYPE map SYSTEM "http://java.sun.com/dtd/preferences.dtd">
      <map MAP_XML_VERSION="1.0">
        <entry key="lastCheckSuccess" value="false"/>
        <entry key="lastCheckTimestamp" value="%d"/>
      </map>
      """;

  private QuietGatling() {}

  /**
   * The option of a JVM that has these preferences and no others.
   *
   * @param folder where they are written
   */
  public static String option(Path folder) throws IOException {
    Path node =
        Files.createDirectories(folder.resolve(".java/.userPrefs/io/gatling/latestVersion"));
    Files.writeString(node.resolve("prefs.xml"), ASKED_IN_VAIN.formatted(Long.MAX_VALUE / 2));
    return "-Djava.util.prefs.userRoot=" + folder;
  }
}
