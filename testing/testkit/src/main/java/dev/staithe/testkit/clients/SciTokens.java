package dev.staithe.testkit.clients;

import dev.staithe.peers.MachineAuthorities;
import dev.staithe.peers.process.Program;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The commands of scitokens-cpp, the library by which XRootD and HTCondor judge tokens. It asks
 * issuers for their keys by libcurl, which believes the authorities of the machine and no others:
 * the commands run with a file of the test's mounted in place of them. For one thread.
 */
public final class SciTokens {
  private final Path folder;
  private final Path authority;

  /** What a command said, both outputs together, and how it ended. */
  public record Said(int exitCode, String output) {}

  private SciTokens(Path folder, Path authority) {
    this.folder = folder;
    this.authority = authority;
  }

  /** Commands that believe that authority and keep keys in that folder, which is made. */
  public static SciTokens in(Path folder, Path authority) {
    try {
      return new SciTokens(Files.createDirectories(folder), authority);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Why they cannot run so here; empty where they can. */
  public static String obstacle() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return "scitokens-cpp believes the machine's authorities only, and mounting others over them"
          + " needs root";
    }
    Program.Ran own =
        Program.UNSHARE.run(List.of("--mount", "true"), Map.of(), new byte[0], Eventually.LONGEST);
    if (own.exitCode() != 0) {
      return "scitokens-cpp believes the machine's authorities only, and nobody may mount others"
          + " over them here: "
          + own.errors().strip();
    }
    return Files.exists(MachineAuthorities.FILE)
        ? ""
        : MachineAuthorities.FILE + " is missing: ca-certificates";
  }

  /** {@code scitokens-verify}: the signature and the times, by the rules of that profile. */
  public Said verify(String token, String profile) {
    return run(Program.SCITOKENS_VERIFY, "-p", profile, token);
  }

  /** {@code scitokens-list-access}: what a token allows at a service. */
  public Said access(String token, String issuer, String audience) {
    return run(Program.SCITOKENS_LIST_ACCESS, token, issuer, audience);
  }

  private Said run(Program tool, String... arguments) {
    List<String> command = MachineAuthorities.replacedBy(authority);
    List<String> all = new ArrayList<>(command.subList(1, command.size()));
    all.add(tool.path());
    all.addAll(List.of(arguments));
    Program.Ran ran =
        Program.UNSHARE.run(
            all, Map.of("XDG_CACHE_HOME", folder.toString()), new byte[0], Eventually.LONGEST);
    return new Said(
        ran.exitCode(), (new String(ran.output(), StandardCharsets.UTF_8) + ran.errors()).strip());
  }
}
