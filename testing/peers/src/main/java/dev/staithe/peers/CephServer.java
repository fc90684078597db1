package dev.staithe.peers;

import dev.staithe.peers.process.Checkout;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Folders;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.PeerScript;
import dev.staithe.peers.process.ProcessTree;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import dev.staithe.peers.process.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ceph as Debian packages it, on this machine alone, with its object store (RGW) on a free port of
 * the loopback address and its file system mounted twice, for which it needs root and {@code
 * /dev/fuse}. Takes a minute or two to start and some hundred megabytes.
 */
public final class CephServer implements ObjectEngine {
  private static final List<Program> PROGRAMS =
      List.of(
          new Program("ceph", "ceph-common"),
          new Program("ceph-mon", "ceph-mon"),
          new Program("ceph-osd", "ceph-osd"),
          new Program("ceph-mgr", "ceph-mgr"),
          new Program("ceph-mds", "ceph-mds"),
          new Program("ceph-fuse", "ceph-fuse"),
          new Program("radosgw", "radosgw"),
          new Program("uuidgen", "uuid-runtime"));

  private static @Nullable CephServer shared;

  private final Path folder;
  private final @Nullable ManagedProcess process;

  private CephServer(Path folder, @Nullable ManagedProcess process) {
    this.folder = folder;
    this.process = process;
  }

  /**
   * One for all tests of this JVM, with which it ends; or the one that runs in the folder that
   * {@code -Dceph.folder} names, which is left as it is.
   *
   * @throws UncheckedIOException in one line where it does not start, or packages are missing
   */
  public static synchronized CephServer shared() {
    CephServer server = shared;
    if (server == null) {
      String running = System.getProperty("ceph.folder");
      server = running == null ? started() : new CephServer(Path.of(running), null);
      shared = server;
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    }
    return server;
  }

  private static CephServer started() {
    try {
      return start(Checkout.root(), Core.ANY);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts one that is nobody else's.
   *
   * @param repository the checkout, which has the script that runs it
   * @param core where its processes may run
   * @throws IOException in one line where it does not start, or packages are missing
   */
  public static CephServer start(Path repository, Core core) throws IOException {
    return start(repository, core, 1);
  }

  /**
   * The same with several OSDs, each of which has all there is: it goes on while more than half of
   * them live.
   *
   * @param osds 1 to 9
   */
  public static CephServer start(Path repository, Core core, int osds) throws IOException {
    // Not below the folder of a test: the paths of its sockets must be short.
    Path folder = Files.createTempDirectory("ceph");
    try {
      return new CephServer(
          folder,
          new PeerScript(repository, "ceph").start(folder, 3, core, List.of("fs", "" + osds)));
    } catch (IOException e) {
      Folders.delete(folder);
      throw e;
    }
  }

  /** Whether one can be started. */
  public static Readiness readiness() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return new Readiness.Missing("mounting CephFS needs root");
    }
    if (!Files.exists(Path.of("/dev/fuse"))) {
      return new Readiness.Missing("mounting CephFS needs /dev/fuse, which this machine has not");
    }
    return PROGRAMS.stream()
        .filter(program -> program.find().isEmpty())
        .findFirst()
        .<Readiness>map(program -> program.missing(program.name()))
        .orElseGet(() -> PROGRAMS.getFirst().readiness("--version"));
  }

  /** The process id of what all of it descends from, the file system's mounts included. */
  public long pid() {
    return Objects.requireNonNull(process, "it was started by somebody else").pid();
  }

  @Override
  public URI endpoint() {
    try {
      return URI.create(Files.readString(folder.resolve("ready")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Path credentialsFile() {
    return folder.resolve("credentials");
  }

  /** Makes a bucket of its object store, unless it is there. */
  public void bucket(String name) {
    String there = ":s3,provider=Ceph,env_auth=true,endpoint='" + endpoint() + "':" + name;
    Path said = folder.resolve("log/rclone");
    try (ManagedProcess rclone =
        ManagedProcess.start(
            List.of("rclone", "--config=", "mkdir", there),
            Map.of("AWS_SHARED_CREDENTIALS_FILE", "" + credentialsFile(), "AWS_CA_BUNDLE", ""),
            said)) {
      if (rclone.awaitEnd(Until.LONGEST) != 0) {
        throw new AssertionError(rclone.output());
      }
    }
  }

  /**
   * Ends one of several OSDs at once, as {@code kill -9} does.
   *
   * @param osd from 0
   */
  public void killOsd(int osd) {
    one("ceph-osd", "-f -i " + osd).kill();
  }

  /** Stops the object store where it is; connections stay open and nobody answers. */
  public void pauseGateway() {
    gateway().pause();
  }

  /** Undoes {@link #pauseGateway}. */
  public void resumeGateway() {
    gateway().resume();
  }

  /** Ends the object store at once, as {@code kill -9} does; what it has kept stays. */
  public void killGateway() {
    gateway().kill();
  }

  private ProcessTree gateway() {
    return one("radosgw", "-f -n client.rgw");
  }

  /** The process of that program with those arguments, as the script starts it. */
  private ProcessTree one(String program, String arguments) {
    List<ProcessHandle> found =
        ProcessHandle.of(pid())
            .orElseThrow()
            .descendants()
            .filter(each -> each.info().command().orElse("").endsWith("/" + program))
            .filter(
                each ->
                    String.join(" ", each.info().arguments().orElse(new String[0]))
                        .equals(arguments))
            .toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " processes are " + program + " " + arguments);
    }
    return ProcessTree.of(found.getFirst().pid());
  }

  /** Starts again what was killed of OSDs and object store. */
  public void revive() {
    ProcessTree.ask(pid(), "USR1");
  }

  /**
   * Does what the administrator of the object store does.
   *
   * @param words of a command of {@code radosgw-admin}
   */
  public void administer(String... words) {
    Program.Ran ran =
        new Program("radosgw-admin", "radosgw")
            .run(
                List.of(words),
                Map.of("CEPH_CONF", folder.resolve("ceph.conf").toString()),
                new byte[0],
                Until.LONGEST);
    if (ran.exitCode() != 0) {
      throw new AssertionError(String.join(" ", words) + ": " + ran.errors());
    }
  }

  /** Where its file system is mounted, as by one machine. */
  public Path oneMount() {
    return folder.resolve("one");
  }

  /** Where the same is mounted, as by another machine. */
  public Path otherMount() {
    return folder.resolve("two");
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
      Folders.delete(folder);
    }
  }
}
