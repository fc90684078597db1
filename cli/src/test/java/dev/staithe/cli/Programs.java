package dev.staithe.cli;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A folder with the two released jars in it, and what is run there by a shell. */
final class Programs {
  static final Path JAVA = Path.of(System.getProperty("java.home"), "bin");
  static final Duration LONGEST = Eventually.LONGEST;

  private static final Pattern PASSWORD = Pattern.compile("Administrator: admin, password: (\\S+)");

  private final Path folder;
  private int runs;

  Programs(Path folder) {
    this.folder = folder;
    try {
      // Their times too, by which a cache of classes knows its jar.
      for (String jar :
          List.of(
              "../authn-service/target/authn-service.jar",
              "../authn-service/target/authn-service.aot",
              "target/staithe.jar")) {
        Path built = Path.of(jar);
        if (jar.endsWith(".jar") || Files.exists(built)) {
          Files.copy(
              built, folder.resolve(built.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("both jars are needed: mvn package", e);
    }
  }

  /** Where the command keeps its session. */
  Path home() {
    return folder.resolve("home");
  }

  ManagedProcess bash(String command, Map<String, String> environment) {
    var all = new HashMap<>(environment);
    all.put("LC_ALL", "C.UTF-8");
    all.put("PATH", JAVA + ":" + System.getenv("PATH"));
    all.put("STAITHECLI_HOME", home().toString());
    return ManagedProcess.start(
        List.of("bash", "-c", "cd '" + folder + "' && " + command),
        all,
        folder.resolveSibling(folder.getFileName() + "-" + runs++ + ".log"));
  }

  /** The service without any configuration. */
  ManagedProcess server(int port) {
    // Only the port comes from outside: the usual one may be taken by somebody's demo. Passwords
    // are
    // hashed in Java, as where the native library cannot be loaded: the threads that hash by that
    // take what nothing else wants, and on a busy machine a login would take as long as the command
    // waits.
    ManagedProcess server =
        bash(
            "exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djna.nounpack=true"
                + " -XX:AOTCache=authn-service.aot -Xlog:aot=off -Xlog:cds=off"
                + " -Djna.nosys=true -jar authn-service.jar",
            Map.of("SERVER_PORT", Integer.toString(port)));
    server.awaitPort(port, LONGEST);
    Eventually.holds("all is said", () -> server.output().contains("staithe.jar whoami\n"));
    return server;
  }

  /** The password that the first start prints. */
  static String password(ManagedProcess server) {
    Eventually.holds("the password is printed", () -> PASSWORD.matcher(server.output()).find());
    Matcher found = PASSWORD.matcher(server.output());
    if (!found.find()) {
      throw new AssertionError("no password");
    }
    return found.group(1);
  }
}
