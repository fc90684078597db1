package dev.staithe.perf.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A program of the system.
 *
 * @param name as typed
 * @param debianPackage that holds it
 */
record Program(String name, String debianPackage) {
  static final Program NGINX = new Program("nginx", "nginx-light");
  static final Program APACHE = new Program("apache2", "apache2-bin");
  static final Program XROOTD = new Program("xrootd", "xrootd-server");
  static final Program GRIDFTP_SERVER =
      new Program("globus-gridftp-server", "globus-gridftp-server-progs");
  static final Program GLOBUS_URL_COPY = new Program("globus-url-copy", "globus-gass-copy-progs");
  static final Program SETPRIV = new Program("setpriv", "util-linux");
  static final Program TASKSET = new Program("taskset", "util-linux");

  /** Servers live here, which the PATH of an ordinary user leaves out. */
  private static final List<String> SYSTEM_FOLDERS = List.of("/usr/sbin", "/sbin", "/usr/bin");

  /** Where it is, if anywhere. */
  Optional<Path> find() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Stream.of(path.split(":")), SYSTEM_FOLDERS.stream())
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Where it is, as a first word of a command. */
  String path() throws IOException {
    return find().orElseThrow(() -> new IOException(missing().reason())).toString();
  }

  /** What to say where it is not there. */
  Readiness.Missing missing() {
    return new Readiness.Missing(name + " is missing: install the Debian package " + debianPackage);
  }

  /** Ready with the first line that it says to that option, or missing. */
  Readiness readiness(String versionOption) {
    Optional<Path> found = find();
    if (found.isEmpty()) {
      return missing();
    }
    try {
      return new Readiness.Ready(firstLine(List.of(found.get().toString(), versionOption)));
    } catch (IOException e) {
      return new Readiness.Missing(name + " does not run: " + e.getMessage());
    }
  }

  private static String firstLine(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(ManagedProcess.NOTHING.toFile())
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
  }
}
