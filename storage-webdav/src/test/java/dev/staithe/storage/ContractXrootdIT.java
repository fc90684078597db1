package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.pull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.XrootdServer;
import dev.staithe.testkit.clients.Curl;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** XRootD, which knows nothing of contracts, at the other end of areas of each mode. */
@SuppressWarnings("try")
class ContractXrootdIT {
  @TempDir private Path folder;

  private static String host(XrootdServer xrootd) {
    URI at = URI.create(xrootd.url("/"));
    return at.getHost() + ":" + at.getPort();
  }

  private static CopyAnswer pushTo(RunningStorage s, String destination) {
    return ContractPair.push(s, destination);
  }

  private static CopyAnswer pulledBy(XrootdServer xrootd, RunningStorage s, String name) {
    return CopyAnswer.of(
        Curl.to(xrootd.url("/" + name))
            .trusting(s.authority())
            .method("COPY")
            .header("Credential", "none")
            .header("Source", s.url("/data/file"))
            .header("TransferHeaderAuthorization", "Bearer " + s.token())
            .run());
  }

  /** Whether it is named as a partner or not. */
  private static Map<String, Object> settings(String mode, String partner) {
    Map<String, Object> settings = new HashMap<>(ContractPair.mode(mode));
    settings.put("staithe.areas[0].contracts.hosts", partner);
    return settings;
  }

  @Test
  void areasWithOffAndOfferServeItAsEverAndOneThatRequiresContractsMovesNothing() throws Exception {
    try (ContractPair pair = new ContractPair(folder);
        XrootdServer xrootd = XrootdServer.start(pair.authority.server())) {
      xrootd.putFile("theirs", pair.content);
      for (String mode : new String[] {"off", "offer"}) {
        for (String partner : new String[] {"other.example:1", host(xrootd)}) {
          try (RunningStorage s = pair.startS(settings(mode, partner))) {
            String name = mode + "-" + partner.replace(':', '-');
            pull(s, xrootd.url("/theirs"), "/data/" + name, 1).succeeded(ContractPair.SIZE);
            pull(s, xrootd.url("/theirs"), "/data/" + name + "-3", 3).succeeded(ContractPair.SIZE);
            pushTo(s, xrootd.url("/" + name)).succeeded(ContractPair.SIZE);
            assertThat(pulledBy(xrootd, s, "by-" + name).last()).isEqualTo("success: Created");
            assertThat(xrootd.dataFolder().resolve(name)).hasBinaryContent(pair.content);
            assertThat(xrootd.dataFolder().resolve("by-" + name)).hasBinaryContent(pair.content);
            assertThat(s.curl("/data/file").token(s.token()).run().body()).isEqualTo(pair.content);
            assertThat(pair.rows("s")).isEmpty();
          }
        }
      }
      for (String partner : new String[] {"other.example:1", host(xrootd)}) {
        String why = partner.startsWith("other") ? "has none with" : "";
        try (RunningStorage s = pair.startS(settings("require", partner))) {
          assertThat(pull(s, xrootd.url("/theirs"), "/data/required", 1).last())
              .contains(why.isEmpty() ? "does not sign as it should" : why);
          assertThat(s.data().resolve("required")).doesNotExist();
          assertThat(pushTo(s, xrootd.url("/required")).last())
              .contains(why.isEmpty() ? "agrees to no contract" : why);
          assertThat(xrootd.dataFolder().resolve("required")).doesNotExist();
          assertThat(pulledBy(xrootd, s, "pulled").last()).doesNotContain("success");
          // XRootD leaves the beginning of what it was to get: not a byte of the file.
          Path left = xrootd.dataFolder().resolve("pulled");
          assertThat(Files.exists(left) ? Files.size(left) : 0).isZero();
          assertThat(pair.rows("s")).isEmpty();
        }
      }
    }
  }
}
