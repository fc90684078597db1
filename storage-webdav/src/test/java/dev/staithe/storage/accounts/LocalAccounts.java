package dev.staithe.storage.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Local accounts of this machine that are thrown away, and the real helper, compiled from its
 * source and run as a user of its own with two capabilities. Needs root.
 */
public final class LocalAccounts implements AutoCloseable {
  private static final Path SOURCE = Path.of("../deploy/accounts/staithe-accounts.c");

  private final Path folder;
  private final String suffix = Integer.toHexString(ThreadLocalRandom.current().nextInt(1 << 28));
  private final List<String> users = new ArrayList<>();
  private final List<String> groups = new ArrayList<>();
  private @Nullable ManagedProcess helper;

  private LocalAccounts(Path folder) {
    this.folder = folder;
  }

  /** Why there are none here, or an empty text. */
  public static String obstacle() {
    return "root".equals(System.getProperty("user.name"))
        ? ""
        : "making local accounts and files that belong to them needs root";
  }

  /**
   * Compiles the helper and makes the accounts {@code ada}, {@code bob} and two of the system's.
   */
  public static LocalAccounts make(Path folder) throws IOException {
    Files.createDirectories(folder);
    open(folder);
    LocalAccounts accounts = new LocalAccounts(folder);
    run(
        folder,
        "cc",
        "-std=gnu11",
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-o",
        folder.resolve("staithe-accounts").toString(),
        SOURCE.toString());
    accounts.user("ada");
    accounts.user("bob");
    accounts.user("service", "--system");
    accounts.user("helper", "--system");
    return accounts;
  }

  /** Lets everybody through to a folder that is there, below the one of all temporary files. */
  public static void open(Path folder) throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
    assertThat(folder.toAbsolutePath()).startsWith(temporary);
    for (Path at = folder.toAbsolutePath(); !at.equals(temporary); at = at.getParent()) {
      Files.setPosixFilePermissions(at, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private void user(String name, String... options) {
    List<String> command = new ArrayList<>(List.of("useradd", "--no-create-home", "--user-group"));
    command.addAll(List.of(options));
    command.add(name(name));
    run(folder, command.toArray(String[]::new));
    users.add(name(name));
  }

  /** A group with that account in it beside its own. */
  public String group(String name, String... members) {
    run(folder, "groupadd", name(name));
    groups.add(name(name));
    for (String member : members) {
      run(folder, "usermod", "--append", "--groups", name(name), name(member));
    }
    return name(name);
  }

  /** The account's name on this machine. */
  public String name(String account) {
    return "st-" + account + "-" + suffix;
  }

  /** The account's number. */
  public int id(String account) {
    return Integer.parseInt(run(folder, "id", "--user", name(account)).strip());
  }

  /** Makes a folder that is the account's, with those permissions. */
  public Path folder(Path at, String account, String permissions) throws IOException {
    Files.createDirectories(at);
    give(at, account, permissions);
    return at;
  }

  /** Makes a file that is the account's, with those permissions. */
  public Path file(Path at, String account, String content, String permissions) throws IOException {
    Files.writeString(at, content);
    give(at, account, permissions);
    return at;
  }

  private void give(Path at, String account, String permissions) throws IOException {
    run(folder, "chown", "--recursive", name(account) + ":" + name(account), at.toString());
    Files.setPosixFilePermissions(at, PosixFilePermissions.fromString(permissions));
  }

  /** Whose it is, a link not followed. */
  public static int owner(Path at) throws IOException {
    return (Integer) Files.getAttribute(at, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  public Path socket() {
    return folder.resolve("run/socket");
  }

  /** Makes a command that runs as that account. */
  public List<String> as(String account, String... command) {
    List<String> all = new ArrayList<>(List.of("setpriv", "--reuid=" + name(account)));
    all.addAll(List.of("--regid=" + name(account), "--clear-groups", "--bounding-set=-all"));
    all.addAll(List.of(command));
    return all;
  }

  /** Starts the helper for a user, and waits until it listens. */
  public ManagedProcess start(String service, Path tree) throws IOException {
    if (helper != null) {
      helper.close();
    }
    folder(folder.resolve("run"), "helper", "rwxr-xr-x");
    List<String> command =
        List.of(
            "setpriv",
            "--reuid=" + name("helper"),
            "--regid=" + name("helper"),
            "--clear-groups",
            "--inh-caps=+setuid,+setgid",
            "--ambient-caps=+setuid,+setgid",
            folder.resolve("staithe-accounts").toString(),
            socket().toString(),
            service,
            "1000",
            "files=" + tree);
    Files.deleteIfExists(socket());
    ManagedProcess started = ManagedProcess.start(command, Map.of(), folder.resolve("helper.log"));
    helper = started;
    Eventually.holds("the helper listens", () -> listens(socket()) || !started.isAlive());
    assertThat(started.isAlive()).as(started.output()).isTrue();
    return started;
  }

  /** Its name is there a moment before anybody can connect: the kernel knows ({@code unix(7)}). */
  private static boolean listens(Path socket) {
    try {
      return Files.readAllLines(Path.of("/proc/net/unix")).stream()
          .anyMatch(line -> line.contains(" 00010000 ") && line.endsWith(" " + socket));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (helper != null) {
      helper.close();
    }
    users.forEach(user -> run(folder, "userdel", "--force", user));
    groups.forEach(group -> run(folder, "groupdel", group));
  }

  /** What a command printed that ended well. */
  static String run(Path folder, String... command) {
    Path log = folder.resolve("command.log");
    try {
      Files.deleteIfExists(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (ManagedProcess process = ManagedProcess.start(List.of(command), Map.of(), log)) {
      assertThat(process.awaitEnd(Duration.ofMinutes(2)))
          .as("%s: %s", String.join(" ", command), process.output())
          .isZero();
      return process.output();
    }
  }
}
