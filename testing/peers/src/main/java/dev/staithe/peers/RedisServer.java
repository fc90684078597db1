package dev.staithe.peers;

import dev.staithe.peers.process.Folders;
import dev.staithe.peers.process.Listening;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.ProcessTree;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Redis with its files in a temporary folder, on a free port of the loopback address, with a
 * password, in clear or by TLS alone. It keeps nothing on the disk unless told so, and may be
 * crashed, paused, followed by replicas and started again.
 */
public final class RedisServer implements AutoCloseable {

  private final Path folder;
  private final String password;
  private final int port;
  private final @Nullable Tls tls;
  private ManagedProcess process;

  private record Tls(HostFiles host) {
    String settings(int port) {
      return """
      port 0
      tls-port %d
      tls-cert-file %s
      tls-key-file %s
      tls-ca-cert-file %s
      tls-auth-clients no
      tls-replication yes
      """
          .formatted(port, host.certificate(), host.key(), host.authority());
    }
  }

  private RedisServer(Path folder, String password, int port, @Nullable Tls tls) {
    this.folder = folder;
    this.password = password;
    this.port = port;
    this.tls = tls;
    this.process = launch();
  }

  /**
   * Starts one.
   *
   * @param settings lines of its configuration, as {@code appendonly yes}
   */
  public static RedisServer start(String... settings) {
    return start(password(), null, settings);
  }

  /**
   * Starts one that speaks TLS only, and asks clients for no certificate.
   *
   * @param host what it shows, replicas too; it must be good for 127.0.0.1 for them to follow
   */
  public static RedisServer startTls(HostFiles host, String... settings) {
    return start(password(), new Tls(host), settings);
  }

  private static String password() {
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** Starts one that follows this, and returns when it has what this has, in its file too. */
  public RedisServer replica(String... settings) {
    String[] all = new String[settings.length + 1];
    all[0] = "replicaof 127.0.0.1 " + port;
    System.arraycopy(settings, 0, all, 1, settings.length);
    RedisServer replica = start(password, tls, all);
    Until.holds(
        "the replica follows",
        () -> replica.command("INFO", "replication").contains("master_link_status:up"));
    // Until a replica has written its file anew after the first copy, the one on disk is empty.
    Until.holds(
        "its file is whole",
        () -> {
          String told = replica.command("INFO", "persistence");
          return told.contains("aof_rewrite_in_progress:0")
              && told.contains("aof_rewrite_scheduled:0");
        });
    return replica;
  }

  private static RedisServer start(String password, @Nullable Tls tls, String... settings) {
    try {
      Path folder = Files.createTempDirectory("redis");
      int port = Listening.freePorts(1).getFirst();
      Files.writeString(
          folder.resolve("redis.conf"),
          """
          bind 127.0.0.1
          %1$s
          dir %2$s
          save ""
          appendonly no
          requirepass %3$s
          masterauth %3$s
          repl-diskless-sync-delay 0
          %4$s
          """
              .formatted(
                  tls == null ? "port " + port : tls.settings(port),
                  folder,
                  password,
                  String.join("\n", settings)));
      Path file =
          Files.createFile(
              folder.resolve("password"),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, password + "\n");
      RedisServer server = new RedisServer(folder, password, port, tls);
      server.await();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ManagedProcess launch() {
    return ManagedProcess.start(
        List.of(Program.REDIS.path(), folder.resolve("redis.conf").toString()),
        Map.of(),
        folder.resolve("log"));
  }

  private void await() {
    try {
      process.awaitPort(port, Until.LONGEST);
      Until.holds("Redis answers", () -> command("PING").equals("PONG"));
    } catch (AssertionError e) {
      String log = process.output();
      close();
      throw new AssertionError(e.getMessage() + "\n" + log, e);
    }
  }

  /** The port that it listens at. */
  public int port() {
    return port;
  }

  /** The file with its password. */
  public Path passwordFile() {
    return folder.resolve("password");
  }

  /** Runs a command and returns what it prints, errors included. */
  public String command(String... words) {
    List<String> server =
        tls == null
            ? List.of("-h", "127.0.0.1", "-p", Integer.toString(port))
            : List.of(
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "--tls",
                "--cacert",
                tls.host().authority().toString());
    Program.Ran ran =
        Program.REDIS_CLI.run(
            concat(server, List.of(words)),
            Map.of("REDISCLI_AUTH", password),
            new byte[0],
            Until.LONGEST);
    return new String(ran.output(), StandardCharsets.UTF_8).strip();
  }

  private static List<String> concat(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  /** Ends being a replica: from now on it takes writes. */
  public void promote() {
    command("REPLICAOF", "NO", "ONE");
  }

  /** Stops it where it is; connections stay open and nobody answers. */
  public void pause() {
    ProcessTree.of(process.pid()).pause();
  }

  /** Undoes {@link #pause}. */
  public void resume() {
    ProcessTree.of(process.pid()).resume();
  }

  /** Ends it at once, as {@code kill -9} does. */
  public void kill() {
    process.kill();
    process.close();
  }

  /** Starts it again on the same port after {@link #kill}. */
  public void restart() {
    process = launch();
    await();
  }

  /** Ends it and deletes its folder. */
  @Override
  public void close() {
    if (process.isAlive()) {
      ProcessTree.of(process.pid()).kill();
    }
    process.close();
    Folders.delete(folder);
  }
}
