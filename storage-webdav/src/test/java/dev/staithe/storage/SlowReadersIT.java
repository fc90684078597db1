package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that ask for files and do not read, against a process of little direct memory. */
class SlowReadersIT {
  private static final int READERS = 300;

  @TempDir static Path folder;

  /** A client whose own system takes in nearly nothing for it. */
  private static RawClient reader(StorageProcess process, ThrowAwayAuthority authority)
      throws IOException {
    Socket below = new Socket();
    below.setReceiveBufferSize(4096);
    below.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), process.port()));
    RawClient client = RawClient.over(below, authority);
    client.send("GET /open/large HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return client;
  }

  @Test
  void threeHundredWhoDoNotReadLeaveTheFileToOneWhoDoes() throws IOException {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    List<RawClient> readers = new ArrayList<>();
    Path root = folder.resolve("element");
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        StorageProcess process =
            StorageProcess.start(
                root, authority, issuer, Map.of(), "-Xmx256m", "-XX:MaxDirectMemorySize=64m")) {
      Sample.write(root.resolve("open/large"), 1, 20 << 20);
      Sample mine = Sample.write(root.resolve("data/mine"), 2, 20 << 20);
      try {
        for (int i = 0; i < READERS; i++) {
          readers.add(reader(process, authority));
        }
        String token =
            issuer
                .token()
                .subject("honest")
                .scope("storage.read:/")
                .audience(RunningStorage.AUDIENCE)
                .sign();
        Eventually.holds(
            "one more of those gets 503",
            () -> {
              Curl.Response more = Curl.to(process.url("/open/large")).trusting(authority).run();
              return more.status() == 503 && more.header("Retry-After").isPresent();
            });
        Curl.Response honest =
            Curl.to(process.url("/data/mine")).trusting(authority).token(token).run();
        assertThat(honest.status()).isEqualTo(200);
        assertThat(Sample.ofBytes(honest.body())).isEqualTo(mine);
        assertThat(Curl.to(process.url("/.staithe/metrics")).trusting(authority).run().text())
            .containsPattern("staithe_buffers_taken [1-9]");
      } finally {
        for (RawClient client : readers) {
          client.socket().close();
        }
      }
      assertThat(process.process().output())
          .contains("500 MiB of direct memory (-XX:MaxDirectMemorySize is 64 MiB)")
          .contains("transfer buffers are held by")
          .doesNotContain("OutOfMemory");
    }
  }
}
