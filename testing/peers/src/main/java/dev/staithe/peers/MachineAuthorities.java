package dev.staithe.peers;

import dev.staithe.peers.process.Program;
import java.nio.file.Path;
import java.util.List;

/** The authorities of the machine, which libcurl believes where nobody names others. */
public final class MachineAuthorities {
  /** Where Debian has them. */
  public static final Path FILE = Path.of("/etc/ssl/certs/ca-certificates.crt");

  private MachineAuthorities() {}

  /**
   * What stands before a command that is to believe another authority alone: root's {@code unshare}
   * mounts it over them, for the command and what it starts.
   */
  public static List<String> replacedBy(Path authority) {
    return List.of(
        Program.UNSHARE.path(),
        "--mount",
        "sh",
        "-c",
        "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\"",
        "sh",
        authority.toString(),
        FILE.toString());
  }
}
