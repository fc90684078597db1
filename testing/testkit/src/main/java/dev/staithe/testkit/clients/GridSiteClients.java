package dev.staithe.testkit.clients;

import dev.staithe.peers.process.Program;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * GridSite's commands to delegate with: {@code htproxyput} and its kin. They speak version 1.1 and
 * make proxies as the Globus Toolkit 2 did, over SHA-1, even below one by RFC 3820. For one thread.
 */
public final class GridSiteClients {

  private final Path holder;
  private final Path trust;
  private final URI address;

  /**
   * What a command said.
   *
   * @param output its standard output, without space around it
   * @param errors its standard error output
   */
  public record Said(int exitCode, String output, String errors) {}

  private GridSiteClients(Path holder, Path trust, URI address) {
    this.holder = holder;
    this.trust = trust;
    this.address = address;
  }

  /**
   * For one person.
   *
   * @param folder of the test, for this one alone
   * @param person certificate and key; the commands cannot read them from two files
   * @param authority the server's, PEM
   * @param address of the delegation service
   */
  public static GridSiteClients in(
      Path folder, GridAuthority.Holder person, Path authority, URI address) {
    try {
      Path trust = Files.createDirectories(folder.resolve("authorities"));
      Files.copy(authority, trust.resolve("server.pem"));
      Program.Ran ran =
          Program.OPENSSL.run(
              List.of("rehash", trust.toString()), Map.of(), new byte[0], Eventually.LONGEST);
      if (ran.exitCode() != 0) {
        throw new AssertionError("openssl rehash: " + ran.errors());
      }
      Path both = folder.resolve("person.pem");
      Files.createFile(
          both, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(
          both, Files.readString(person.certificate()) + Files.readString(person.key()));
      return new GridSiteClients(both, trust, address);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code htproxyput}: delegates and says the id. */
  public Said put(String... options) {
    return run(Program.HTPROXYPUT, options);
  }

  /** {@code htproxyrenew}. */
  public Said renew(String id) {
    return run(Program.HTPROXYRENEW, "--delegation-id", id);
  }

  /** {@code htproxytime}: says when it ends, for people. */
  public Said time(String id) {
    return run(Program.HTPROXYTIME, "--delegation-id", id);
  }

  /** {@code htproxyunixtime}: says when it ends, in seconds since 1970. */
  public Said unixTime(String id) {
    return run(Program.HTPROXYUNIXTIME, "--delegation-id", id);
  }

  /** {@code htproxydestroy}. */
  public Said destroy(String id) {
    return run(Program.HTPROXYDESTROY, "--delegation-id", id);
  }

  private Said run(Program tool, String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(
        List.of(
            "--cert",
            holder.toString(),
            "--key",
            holder.toString(),
            "--capath",
            trust.toString(),
            address.toString()));
    Program.Ran ran = tool.run(arguments, Map.of("TZ", "UTC"), new byte[0], Eventually.LONGEST);
    return new Said(
        ran.exitCode(), new String(ran.output(), StandardCharsets.UTF_8).strip(), ran.errors());
  }
}
