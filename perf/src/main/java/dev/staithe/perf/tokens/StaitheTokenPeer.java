package dev.staithe.perf.tokens;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.PeerScript;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.lean.TokenProtocol;
import dev.staithe.perf.peers.Accounts;
import dev.staithe.perf.peers.ReleasedJar;
import dev.staithe.perf.peers.SettingsTemplate;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Our session service: one or more nodes of the released jar and a PostgreSQL that they share,
 * perhaps with two standbys, or as many nodes that share nothing. Its settings are in {@code
 * authn-service.yml} beside this class.
 */
public final class StaitheTokenPeer implements TokenPeer {
  private static final List<String> JAVA_OPTIONS =
      List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m", "-XX:ActiveProcessorCount=1");

  private static final String TEMPLATE = "authn-service.yml";

  /** Nothing is encrypted. */
  private static final Path NO_AUTHORITY = Path.of("none");

  private static final String HEALTH = "/.staithe/health/status";

  /** What a login costs. */
  public enum Hash {
    /** Salted SHA-1, as the paper's OpenAM had it. */
    PAPER("paper", "salted SHA-1"),
    /** argon2id of 19 MiB, 2 passes: the least that OWASP advises. */
    OWASP("owasp", "argon2id 19 MiB t=2"),
    /** argon2id of 7 MiB, 5 passes: what Keycloak does by itself. */
    KEYCLOAK("peers", "argon2id 7 MiB t=5");

    private final String setting;
    private final String shown;

    Hash(String setting, String shown) {
      this.setting = setting;
      this.shown = shown;
    }
  }

  /** What a login or logout waits for. */
  public enum Persistence {
    /** Nothing outlives the service. */
    OFF("off", ""),
    /** Written soon after the answer. */
    BEST_EFFORT("best-effort", ""),
    /** Answered when a second copy exists. */
    ASSURED_WRITE("assured-write", "ANY 1 (standby1, standby2)"),
    /** Answered when every reader sees it. */
    ASSURED_READ("assured-read", "FIRST 2 (standby1, standby2)");

    private final String setting;
    private final String synchronousStandbys;

    Persistence(String setting, String synchronousStandbys) {
      this.setting = setting;
      this.synchronousStandbys = synchronousStandbys;
    }

    /** The name in settings and reports, as {@code assured-write}. */
    public String setting() {
      return setting;
    }
  }

  private final Path repository;
  private final String name;
  private final int nodes;
  private final Hash hash;
  private final Persistence persistence;
  private final int standbys;
  private final boolean apart;

  /**
   * Makes one.
   *
   * @param repository the checkout, in which its jar is built
   * @param name of this form of it
   * @param nodes how many, at least 1
   * @param standbys how many stream from the database: 0, or 2 for the assured models
   */
  public StaitheTokenPeer(
      Path repository, String name, int nodes, Hash hash, Persistence persistence, int standbys) {
    this(repository, name, nodes, hash, persistence, standbys, false);
  }

  private StaitheTokenPeer(
      Path repository,
      String name,
      int nodes,
      Hash hash,
      Persistence persistence,
      int standbys,
      boolean apart) {
    this.repository = repository;
    this.name = name;
    this.nodes = nodes;
    this.hash = hash;
    this.persistence = persistence;
    this.standbys = standbys;
    this.apart = apart;
  }

  /** The same nodes, each with a database to itself: what as many cost that share nothing. */
  public StaitheTokenPeer apart() {
    return new StaitheTokenPeer(repository, name, nodes, hash, persistence, standbys, true);
  }

  private ReleasedJar jar() {
    return new ReleasedJar(
        repository.resolve("authn-service/target/authn-service.jar"),
        "run ./demo --once or mvn -pl authn-service -am package");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Readiness readiness() {
    return jar().readiness();
  }

  @Override
  public TokenServer start(Path folder, Core core) throws IOException {
    var processes = new ArrayList<ManagedProcess>();
    try {
      for (int i = 0; i < (apart ? nodes : 1); i++) {
        processes.add(startDatabase(folder.resolve("database-" + i), core));
      }
      List<ManagedProcess> databases = List.copyOf(processes);
      var urls = new ArrayList<String>();
      for (int node = 0; node < nodes; node++) {
        ManagedProcess database = databases.get(node % databases.size());
        processes.add(startNode(folder, node, database.port(0), core));
        urls.add("http://127.0.0.1:" + processes.getLast().port(0));
        if (node < databases.size()) {
          Path output = folder.resolve("node-" + node).resolve(ManagedProcess.OUTPUT);
          new StaitheAccounts(urls.getLast(), output).make(Accounts.USUAL);
        }
      }
      return new TokenServer(TokenProtocol.staithe(), urls, processes, shown());
    } catch (IOException e) {
      Collections.reverse(processes);
      processes.forEach(ManagedProcess::close);
      throw e;
    }
  }

  private ManagedProcess startDatabase(Path place, Core core) throws IOException {
    ManagedProcess database =
        new PeerScript(repository, "postgresql")
            .start(Files.createDirectory(place), 1 + standbys, core);
    if (!persistence.synchronousStandbys.isEmpty()) {
      StaitheAccounts.psql(
          database.port(0),
          "ALTER SYSTEM SET synchronous_standby_names = '%s'"
              .formatted(persistence.synchronousStandbys));
      StaitheAccounts.psql(database.port(0), "SELECT pg_reload_conf()");
    }
    return database;
  }

  private ManagedProcess startNode(Path folder, int node, int database, Core core)
      throws IOException {
    Path place = Files.createDirectory(folder.resolve("node-" + node));
    ManagedProcess process =
        jar().start(name, place, core, JAVA_OPTIONS, port -> settings(place, port, database));
    process.awaitAnswer(URI.create("http://127.0.0.1:" + process.port(0) + HEALTH), NO_AUTHORITY);
    return process;
  }

  String settings(Path folder, int port, int database) throws IOException {
    return SettingsTemplate.filled(
        TEMPLATE,
        Map.of(
            "port", port,
            "database", database,
            "folder", folder,
            "hash", hash.setting,
            "persistence", persistence.setting));
  }

  private String shown() {
    return jar()
        .shown(
            JAVA_OPTIONS,
            "%d %s, %s, %s, PostgreSQL%s%s"
                .formatted(
                    nodes,
                    nodes == 1 ? "node" : "nodes",
                    persistence.setting,
                    hash.shown,
                    standbys == 0 ? "" : " with " + standbys + " standbys",
                    apart ? " each" : ""));
  }
}
