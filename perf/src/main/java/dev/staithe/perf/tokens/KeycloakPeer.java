package dev.staithe.perf.tokens;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.PeerScript;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.lean.TokenProtocol;
import dev.staithe.perf.peers.Accounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Keycloak in production mode with PostgreSQL, by {@code perf/peers/keycloak}. */
public final class KeycloakPeer implements TokenPeer {
  private static final String REALM = "perf";
  private static final String CLIENT = "perf";
  private static final String SECRET = "perf-secret";

  private final PeerScript script;

  /**
   * Makes one.
   *
   * @param repository the checkout, below which it was fetched
   */
  public KeycloakPeer(Path repository) {
    script = new PeerScript(repository, "keycloak");
  }

  @Override
  public String name() {
    return "keycloak";
  }

  @Override
  public Readiness readiness() {
    if (!Files.exists(script.store().resolve("keycloak/built"))) {
      return new Readiness.Missing("it was not fetched: run perf/peers/keycloak fetch");
    }
    try (Stream<Path> unpacked = Files.list(script.store().resolve("keycloak"))) {
      return unpacked
          .map(each -> each.getFileName().toString())
          .filter(each -> each.startsWith("keycloak-"))
          .findFirst()
          .<Readiness>map(each -> new Readiness.Ready(each.replace('-', ' ')))
          .orElseGet(() -> new Readiness.Missing("perf/target/peers/keycloak is not whole"));
    } catch (IOException e) {
      return new Readiness.Missing("perf/target/peers/keycloak cannot be read");
    }
  }

  @Override
  public TokenServer start(Path folder, Core core) throws IOException {
    Files.writeString(folder.resolve("accounts"), Accounts.USUAL.lines());
    ManagedProcess process = script.start(folder, 2, core);
    return new TokenServer(
        TokenProtocol.keycloak(REALM, CLIENT, SECRET),
        List.of("http://127.0.0.1:" + process.port(0)),
        List.of(process),
        "kc.sh start --optimized (PostgreSQL, local caches, argon2id 7 MiB t=5, -Xmx1g)");
  }
}
