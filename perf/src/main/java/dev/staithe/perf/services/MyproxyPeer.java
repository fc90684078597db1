package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.PeerScript;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.SingleProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** MyProxy as an online authority, by {@code perf/peers/myproxy}. Immutable. */
public final class MyproxyPeer {
  /** How it finds the name for a certificate. */
  public enum Names {
    /** By a program that it calls with the account: a rule, as ours is one. */
    MAPAPP("myproxy"),
    /** By a list of all accounts, which it reads. */
    MAPFILE("myproxy-mapfile");

    private final String peer;

    Names(String peer) {
      this.peer = peer;
    }

    /** Short and unique. */
    public String peer() {
      return peer;
    }
  }

  private final PeerScript script;
  private final Names names;

  /**
   * Makes one.
   *
   * @param repository the checkout, below which its script is
   */
  public MyproxyPeer(Path repository, Names names) {
    this.script = new PeerScript(repository, "myproxy");
    this.names = names;
  }

  /** Short and unique. */
  public String name() {
    return names.peer;
  }

  /** Whether it can be started here. */
  public Readiness readiness() {
    Readiness client = Program.MYPROXY_LOGON.readiness("--version");
    return client instanceof Readiness.Ready
        ? Program.MYPROXY_SERVER.readiness("--version")
        : client;
  }

  /** Starts it in an empty folder of its own. */
  public Running start(Path folder, Core core) throws IOException {
    List<String> more = names == Names.MAPFILE ? List.of("mapfile") : List.of();
    return new Running(script, folder, script.start(folder, 1, core, more));
  }

  /** One that runs. */
  public static final class Running extends SingleProcess {
    private final PeerScript script;
    private final Path folder;

    private Running(PeerScript script, Path folder, ManagedProcess process) {
      super(process, "myproxy-server (CA mode, RSA-2048, PAM, a process for each client)");
      this.script = script;
      this.folder = folder;
    }

    /**
     * The command that fetches certificates by its own client, one after the other.
     *
     * @param count how many
     * @param clients how many at a time
     */
    public List<String> issue(int count, int clients) {
      return List.of(
          "" + script.path(),
          "issue",
          "" + folder,
          "" + process().port(0),
          "" + count,
          "" + clients);
    }

    /** Its folder, for work to be done in. */
    public Path folder() {
      return folder;
    }
  }
}
