package dev.staithe.perf.peers;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Readiness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A runnable jar of this repository, run by the Java that runs this.
 *
 * @param path of the jar
 * @param remedy what to do where it is not built
 */
public record ReleasedJar(Path path, String remedy) {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  /**
   * For a run that is no measurement, options beside those of the peers. It takes the cache of
   * classes beside the jar as well, where there is one: half of a start.
   */
  private static final List<String> MORE =
      Stream.of(System.getProperty("staithe.perf.java-options", "").split(" "))
          .filter(option -> !option.isEmpty())
          .toList();

  /**
   * A service of ours in a checkout.
   *
   * @param module its folder, whose last name is that of the jar
   */
  public static ReleasedJar of(Path repository, String module) {
    Path folder = repository.resolve(module);
    return new ReleasedJar(
        folder.resolve("target").resolve(folder.getFileName() + ".jar"),
        "run mvn -pl " + module + " -am package");
  }

  /** The settings of a service that listens at a port. */
  public interface Settings {
    String at(int port) throws IOException;
  }

  /** Starts a service of ours by a file of settings in its folder, and waits until it listens. */
  public ManagedProcess start(
      String name, Path folder, Core core, List<String> javaOptions, Settings settings)
      throws IOException {
    return ManagedProcess.start(
        name,
        folder,
        1,
        core,
        ports -> {
          Path file =
              Files.writeString(folder.resolve("settings.yml"), settings.at(ports.getFirst()));
          return command(
              javaOptions,
              List.of("--spring.config.additional-location=file:" + file.toAbsolutePath()));
        });
  }

  /** Whether it is built, and which revision. */
  public Readiness readiness() {
    if (!Files.isRegularFile(path)) {
      return new Readiness.Missing("%s is not built: %s".formatted(path.getFileName(), remedy));
    }
    try (var jar = new JarFile(path.toFile())) {
      Manifest manifest = jar.getManifest();
      String version =
          manifest == null ? null : manifest.getMainAttributes().getValue("Implementation-Version");
      return new Readiness.Ready(
          "%s %s, Java %s"
              .formatted(
                  path.getFileName(),
                  version == null ? "of no version" : version,
                  Runtime.version()));
    } catch (IOException e) {
      return new Readiness.Missing(
          "%s cannot be read (%s): %s".formatted(path.getFileName(), e.getMessage(), remedy));
    }
  }

  /** The command that runs it. */
  public List<String> command(List<String> javaOptions, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(JAVA);
    command.addAll(javaOptions);
    command.addAll(MORE);
    if (!MORE.isEmpty() && hasCache()) {
      // Java would leave the cache aside; the jar's manifest says it, too.
      command.remove(NATIVE_ACCESS);
      command.addAll(List.of("-XX:AOTCache=" + cache(), "-Xlog:aot=off", "-Xlog:cds=off"));
    }
    command.addAll(List.of("-jar", path.toString()));
    command.addAll(arguments);
    return command;
  }

  /** Where {@code deploy/class-cache} puts the cache of its classes. */
  public Path cache() {
    return Path.of(path.toString().replaceFirst("\\.jar$", ".aot"));
  }

  private boolean hasCache() {
    return cache().toFile().lastModified() > path.toFile().lastModified();
  }

  /** The same for people, without folders. */
  public String shown(List<String> javaOptions, String settings) {
    return "java %s -jar %s (%s)"
        .formatted(
            Stream.concat(javaOptions.stream(), MORE.stream()).collect(Collectors.joining(" ")),
            path.getFileName(),
            settings);
  }
}
