package dev.staithe.peers;

import dev.staithe.peers.process.Folders;
import dev.staithe.peers.process.Listening;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.ProcessTree;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Unprivileged;
import dev.staithe.peers.process.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * PostgreSQL with a database of its own in a temporary folder: listens on a free port of the
 * loopback address with a password, and in its folder without. Standbys are made from it by a base
 * backup. It may be crashed, paused and started again.
 *
 * <p>It refuses to run as root and then runs as {@code nobody}. Nothing is synced to the disk,
 * which only a crash of the machine would show; a crash of its processes loses what it would lose
 * anyway.
 */
public final class PostgresServer implements AutoCloseable {
  private static final String USER = "staithe";
  private static final String DATABASE = "postgres";

  private final Path folder;
  private final Path password;
  private final int port;
  private final Thread atExit;
  private ManagedProcess process;

  private PostgresServer(Path folder, Path password, int port) throws IOException {
    this.folder = folder;
    this.password = password;
    this.port = port;
    this.atExit = new Thread(this::killAll);
    Runtime.getRuntime().addShutdownHook(atExit);
    this.process = launch();
  }

  /**
   * Starts one.
   *
   * @param settings lines of its configuration, as {@code max_connections = 50}; standbys take them
   *     over
   */
  public static PostgresServer start(String... settings) {
    try {
      Path folder = folder();
      Path password = folder.resolve("password");
      byte[] random = new byte[16];
      new SecureRandom().nextBytes(random);
      Files.createFile(
          password,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(password, HexFormat.of().formatHex(random));
      Unprivileged.own(folder);
      run(
          folder,
          List.of(
              Program.INITDB.path(),
              "--pgdata=" + data(folder),
              "--username=" + USER,
              "--pwfile=" + password,
              "--auth-local=trust",
              "--auth-host=scram-sha-256",
              "--encoding=UTF8",
              "--locale=C.UTF-8",
              "--no-sync"));
      Path config = data(folder).resolve("postgresql.conf");
      Files.writeString(
          config,
          Files.readString(config)
              + """

              listen_addresses = '127.0.0.1'
              fsync = off
              shared_buffers = 32MB
              wal_retrieve_retry_interval = 100ms
              """
              + String.join("\n", settings)
              + "\n");
      return awaited(new PostgresServer(folder, password, Listening.freePorts(1).getFirst()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Makes a standby that follows this one and may be read.
   *
   * @param applicationName what {@code synchronous_standby_names} calls it
   */
  public PostgresServer standby(String applicationName) {
    try {
      Path its = folder();
      Unprivileged.own(its);
      run(
          its,
          List.of(
              Program.PG_BASEBACKUP.path(),
              "--dbname=host="
                  + folder
                  + " port="
                  + port
                  + " user="
                  + USER
                  + " application_name="
                  + applicationName,
              "--pgdata=" + data(its),
              "--write-recovery-conf",
              "--wal-method=stream",
              "--checkpoint=fast",
              "--no-sync"));
      PostgresServer standby =
          awaited(new PostgresServer(its, password, Listening.freePorts(1).getFirst()));
      Until.holds(
          applicationName + " follows",
          () ->
              sql("select count(*) from pg_stat_replication where state = 'streaming'"
                      + " and application_name = '"
                      + applicationName
                      + "'")
                  .equals("1"));
      return standby;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder() throws IOException {
    return Files.createTempDirectory("postgres");
  }

  private static Path data(Path folder) {
    return folder.resolve("data");
  }

  private static void run(Path folder, List<String> command) {
    List<String> all = new ArrayList<>(Unprivileged.prefix());
    all.addAll(command);
    ManagedProcess program = ManagedProcess.start(all, Map.of(), folder.resolve("output"));
    int code = program.awaitEnd(Until.LONGEST);
    program.close();
    if (code != 0) {
      throw new AssertionError(command.getFirst() + " ended with " + code + program.output());
    }
  }

  private ManagedProcess launch() {
    List<String> command = new ArrayList<>(Unprivileged.prefix());
    command.addAll(
        List.of(
            Program.POSTGRES.path(),
            "-D",
            data(folder).toString(),
            "-p",
            Integer.toString(port),
            "-k",
            folder.toString()));
    return ManagedProcess.start(command, Map.of(), folder.resolve("log"));
  }

  private static PostgresServer awaited(PostgresServer server) {
    try {
      server.process.awaitPort(server.port, Until.LONGEST);
      Until.holds("PostgreSQL answers", () -> server.psql("select 1").exitCode() == 0);
      return server;
    } catch (AssertionError e) {
      String log = server.log();
      server.close();
      throw new AssertionError(e.getMessage() + "\n" + log, e);
    }
  }

  /** Where JDBC finds it. */
  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE;
  }

  /** Host and port, as a URL of several servers wants them. */
  public String authority() {
    return "127.0.0.1:" + port;
  }

  /** Who may log in; a superuser. */
  public String user() {
    return USER;
  }

  /** The file with that user's password. */
  public Path passwordFile() {
    return password;
  }

  /**
   * Runs statements past JDBC and returns what they print: columns with {@code |} between them.
   *
   * @throws AssertionError where one fails
   */
  public String sql(String statements) {
    Program.Ran ran = psql(statements);
    if (ran.exitCode() != 0) {
      throw new AssertionError(statements + ": " + ran.errors());
    }
    return new String(ran.output(), StandardCharsets.UTF_8).strip();
  }

  private Program.Ran psql(String statements) {
    return Program.PSQL.run(
        List.of(
            "--host=" + folder,
            "--port=" + port,
            "--username=" + USER,
            "--no-psqlrc",
            "--no-align",
            "--tuples-only",
            "--quiet",
            "--set=ON_ERROR_STOP=1",
            DATABASE),
        Map.of(),
        statements.getBytes(StandardCharsets.UTF_8),
        Until.LONGEST);
  }

  /** The database as statements for {@link #sql} that bring it back as it is now. */
  public String dump() {
    Program.Ran ran =
        Program.PG_DUMP.run(
            List.of(
                "--host=" + folder,
                "--port=" + port,
                "--username=" + USER,
                "--clean",
                "--if-exists",
                DATABASE),
            Map.of(),
            new byte[0],
            Until.LONGEST);
    if (ran.exitCode() != 0) {
      throw new AssertionError("pg_dump: " + ran.errors());
    }
    return new String(ran.output(), StandardCharsets.UTF_8);
  }

  /** Changes a setting that needs no restart, and returns when it is in force. */
  public void set(String name, String value) {
    sql("alter system set " + name + " = " + value + ";\nselect pg_reload_conf()");
    String wanted = value.replace("'", "");
    Until.holds(name + " = " + value, () -> sql("show " + name).equals(wanted));
  }

  /** Ends being a standby: from now on it takes writes. Synchronous standbys it has none. */
  public void promote() {
    sql("select pg_promote(true, 60)");
    set("synchronous_standby_names", "''");
  }

  /** Stops all its processes where they are; connections stay open and nobody answers. */
  public void pause() {
    ProcessTree.of(process.pid()).pause();
  }

  /** Undoes {@link #pause}. */
  public void resume() {
    ProcessTree.of(process.pid()).resume();
  }

  /** Ends all its processes at once, as {@code kill -9} does. */
  public void kill() {
    if (process.isAlive()) {
      ProcessTree.of(process.pid()).kill();
    }
    killAll();
    process.close();
  }

  /**
   * Ends what is left of it by the ids of its processes, which all work in its data folder. Those
   * of a postmaster that was killed alone go by themselves only when they look up from their work,
   * and never while they are paused.
   */
  private void killAll() {
    ProcessTree.killAllIn(data(folder));
  }

  /** Those of its processes that there are, the first of all among them. */
  public List<ProcessHandle> processes() {
    return ProcessTree.allIn(data(folder));
  }

  /** The process that began all others. */
  public long postmaster() {
    return process.pid();
  }

  /** Shuts it down in good order: nothing is lost. */
  public void stop() {
    ProcessTree.ask(process.pid(), "INT");
    process.awaitEnd(Until.LONGEST);
    process.close();
  }

  /** Starts it again on the same port after {@link #kill} or {@link #stop}. */
  public void restart() {
    process = launch();
    awaited(this);
  }

  /** What it has told so far. */
  public String log() {
    return process.output();
  }

  /** Ends it and deletes its folder. */
  @Override
  public void close() {
    kill();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException shuttingDown) {
      // the hook finds nothing left
    }
    Folders.delete(folder);
  }
}
