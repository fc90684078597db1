package dev.staithe.perf.stores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Peer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoragePeersTests {
  @Test
  void aJarThatIsNotBuiltIsMissingWithItsRemedy(@TempDir Path repository) {
    for (Peer peer :
        new Peer[] {
          new StaithePeer(repository, StaithePeer.Variant.CONSCRYPT),
          DevelopmentPeer.storage(repository),
          DevelopmentPeer.cached(repository, "xml-gateway"),
          DevelopmentPeer.emptyBoot(repository)
        }) {
      assertThat(peer.readiness())
          .as(peer.name())
          .isInstanceOfSatisfying(
              Readiness.Missing.class,
              missing -> assertThat(missing.reason()).contains(".jar is not built: run "));
    }
  }
}
