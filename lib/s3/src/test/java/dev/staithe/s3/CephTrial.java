package dev.staithe.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.CephServer;
import dev.staithe.testkit.FaultyWay;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The contract with the object store of Debian's Ceph. Its start takes a minute: {@code ./verify
 * --all} runs it, by its name.
 */
final class CephTrial extends EngineContract {
  private static CephServer engine;
  private static RenewedCredentials credentials;
  private static S3Client client;

  @BeforeAll
  static void start() throws IOException {
    engine = CephServer.shared();
    engine.bucket("bucket");
    credentials =
        new RenewedCredentials(engine.credentialsFile(), Duration.ZERO, Clock.systemUTC());
    client = client(engine.endpoint(), "bucket", credentials);
  }

  @AfterAll
  static void end() {
    client.close();
    credentials.close();
  }

  @Override
  S3Client client() {
    return client;
  }

  /** Its objects get the time of their tags, which is another only when a second has gone. */
  @Test
  void probeFindsTheSameWhenAnswersTakeASecond() throws IOException {
    try (FaultyWay way = FaultyWay.to(engine.endpoint().getPort());
        S3Client slow = client(way.endpoint(), "bucket", credentials)) {
      way.always(new FaultyWay.Fault.Drips(65536, 600));
      assertThat(EngineProbe.of(slow, "slow/")).isEqualTo(expected());
    }
  }

  /** Completions replace what is there, and a write with the right entity tag is refused. */
  @Override
  EngineTraits expected() {
    return new EngineTraits(true, false, false, true, true, true, true, true, true);
  }
}
