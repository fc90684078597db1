package dev.staithe.testkit;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A jar that this build has made and its users run, in a process of its own beside a test. */
public final class ReleasedJar {
  private ReleasedJar() {}

  /**
   * A command that starts it by this Java, for a short life: short compilations and no collector
   * beside it. Its classes come from the cache that the build has made of them ({@code
   * deploy/class-cache}), which is half of a start; without one they are loaded as ever.
   *
   * @param jar that was built, as {@code target/authn-service.jar}
   * @param arguments of the program
   * @param options of Java, beside its usual ones
   */
  public static List<String> command(Path jar, List<String> arguments, String... options) {
    Path at = jar.toAbsolutePath().normalize();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Spring calls each method once, for which Java makes a class or two otherwise: a tenth of a
    // start.
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Djdk.reflect.useNativeAccessorOnly=true"));
    File cache = new File(at.toString().replaceFirst("\\.jar$", ".aot"));
    if (cache.lastModified() > at.toFile().lastModified()) {
      // What it has to say of options that do not suit it is nothing that a user would read.
      command.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off"));
    }
    command.addAll(Arrays.asList(options));
    command.addAll(List.of("-jar", at.toString()));
    command.addAll(arguments);
    return command;
  }
}
