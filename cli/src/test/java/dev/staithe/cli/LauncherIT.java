package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a folder of its own, as a site installs it. Needs {@code mvn package}. */
class LauncherIT {
  private static final Path JAVA = Path.of(System.getProperty("java.home"));

  @TempDir private Path folder;
  private Path installed;

  @BeforeEach
  void install() throws IOException {
    installed = Files.createDirectory(folder.resolve("a folder"));
    // The machine's own Javas, of any age, are not looked at.
    write(
        installed.resolve("staithe"),
        Files.readString(Path.of("staithe"))
            .replace("/usr/lib/jvm", folder.resolve("jvm").toString()));
    Files.copy(Path.of("target/staithe.jar"), installed.resolve("staithe.jar"));
  }

  private static void write(Path file, String script) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** A Java that only tells its version, and that in a file where one is given. */
  private Path java(String name, String version, boolean file) throws IOException {
    Path home = folder.resolve(name);
    write(
        home.resolve("bin/java"),
        """
        #!/bin/sh
        [ "$1" != -version ] || { echo 'openjdk version "%s"' >&2; exit; }
        echo "java %1$s ran"
        """
            .formatted(version));
    if (file) {
      Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
    }
    return home;
  }

  /** Runs it where no other Java is on the path than those of these homes. */
  private Judge.Said run(Path launcher, String javaHome, List<Path> onPath, String... arguments)
      throws IOException {
    return run(Map.of(), launcher, javaHome, onPath, arguments);
  }

  private Judge.Said run(
      Map<String, String> more,
      Path launcher,
      String javaHome,
      List<Path> onPath,
      String... arguments)
      throws IOException {
    var path = new StringBuilder();
    for (Path home : onPath) {
      path.append(home.resolve("bin")).append(':');
    }
    path.append(tools());
    var environment = new HashMap<>(more);
    environment.put("JAVA_HOME", javaHome);
    environment.put("PATH", path.toString());
    environment.put("STAITHECLI_HOME", folder.resolve("home").toString());
    var command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    return Judge.ask(environment, command);
  }

  /** What a launcher needs beside the shell. */
  private Path tools() throws IOException {
    Path tools = folder.resolve("tools");
    for (String each : List.of("dirname", "grep", "readlink")) {
      write(tools.resolve(each), "#!/bin/sh\nPATH=/usr/bin:/bin exec " + each + " \"$@\"\n");
    }
    return tools;
  }

  @Test
  void linksAndBlanksLeadToTheJarAndArgumentsArriveWhole() throws IOException {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("other name"), Path.of("../a folder/staithe"));
    Path link = Files.createSymbolicLink(folder.resolve("st"), bin.resolve("other name"));

    var version = run(link, JAVA.toString(), List.of(), "--version");
    var verify = run(link, JAVA.toString(), List.of(), "audit", "verify", "no  such $file*");

    assertThat(version.text()).matches("staithe \\d+\\.\\d+\\.\\d+\\S*\n");
    assertThat(version.code()).isZero();
    assertThat(verify.text()).contains("no  such $file* cannot be read");
    assertThat(verify.code()).isEqualTo(1);
    assertThat(run(link, JAVA.toString(), List.of(), "nonsense").code()).isEqualTo(2);
  }

  @Test
  void everyCommandTellsTheVersion() throws IOException {
    Path launcher = installed.resolve("staithe");

    assertThat(run(launcher, JAVA.toString(), List.of(), "cert", "list", "--version").text())
        .startsWith("staithe ");
  }

  @Test
  void newPasswordIsAskedForTwiceAtATerminal() throws IOException {
    var environment =
        Map.of("JAVA_HOME", JAVA.toString(), "STAITHECLI_HOME", folder.resolve("home").toString());
    // A terminal, at which these two lines are typed; nothing is sent before they are the same.
    String typing =
        "printf 'one\\nother\\n' | script -qec '\"%s\" cert --url https://localhost --pkcs12 s' %s"
            .formatted(installed.resolve("staithe"), folder.resolve("typed"));

    var said = Judge.ask(environment, List.of("sh", "-c", typing));

    assertThat(said.text()).contains("the two that were typed are not the same");
    assertThat(said.code()).isEqualTo(1);
  }

  /** The classes of the command, and of its parser, that a run of it loads. */
  private List<String> loaded(String... arguments) throws IOException {
    Path log = folder.resolve("loaded-" + arguments[0]);
    run(
        Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log),
        installed.resolve("staithe"),
        JAVA.toString(),
        List.of(),
        arguments);
    return Pattern.compile(
            "(?m)\\] (dev\\.staithe\\.cli\\.(?:\\w+\\.)?\\w*Command|picocli\\.CommandLine) source")
        .matcher(Files.readString(log))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** That is what a start costs beside Java's own. */
  @Test
  void onlyTheCommandThatIsAskedForIsLoaded() throws IOException {
    assertThat(loaded("idps", "--help"))
        .containsExactlyInAnyOrder(
            "picocli.CommandLine",
            "dev.staithe.cli.program.StaitheCommand",
            "dev.staithe.cli.session.IdpsCommand");
    assertThat(loaded("--version")).isEmpty();
    assertThat(loaded("--help")).hasSizeGreaterThan(10);
  }

  @Test
  void firstJavaThatIsNewEnoughIsTaken() throws IOException {
    Path launcher = installed.resolve("staithe");
    Path old = java("old", "17.0.15", true);
    Path silent = java("silent", "1.8.0_402", false);
    Path good = java("good", "25.0.3", true);
    Path newer = java("newer", "26", false);

    assertThat(run(launcher, good.toString(), List.of(newer)).text())
        .isEqualTo("java 25.0.3 ran\n");
    assertThat(run(launcher, old.toString(), List.of(newer, good)).text())
        .isEqualTo("java 26 ran\n");
    java("jvm/java-25", "25", true);
    assertThat(run(launcher, "", List.of(silent)).text()).isEqualTo("java 25 ran\n");
  }

  @Test
  void withoutJavaOneLineSaysSo() throws IOException {
    Path launcher = installed.resolve("staithe");
    Path old = java("old", "17.0.15", true);
    String missing = "staithe: missing: Java 25 or newer, in JAVA_HOME, on PATH or below ";

    for (var said :
        List.of(run(launcher, "", List.of()), run(launcher, old.toString(), List.of(old)))) {
      assertThat(said.text()).startsWith(missing).hasLineCount(1);
      assertThat(said.code()).isEqualTo(1);
    }
  }

  @Test
  void withoutItsJarOneLineSaysSo() throws IOException {
    Files.delete(installed.resolve("staithe.jar"));

    var said = Judge.ask(Map.of(), List.of(installed.resolve("staithe").toString()));

    assertThat(said.text())
        .isEqualTo("staithe: missing: " + installed.resolve("staithe.jar") + "\n");
    assertThat(said.code()).isEqualTo(1);
  }
}
