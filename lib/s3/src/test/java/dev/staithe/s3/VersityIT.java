package dev.staithe.s3;

import dev.staithe.peers.VersityServer;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract with the Versity gateway, which keeps all of the protocol that is asked for. */
final class VersityIT extends EngineContract {
  private static VersityServer engine;
  private static RenewedCredentials credentials;
  private static S3Client client;

  @BeforeAll
  static void start() throws IOException {
    engine = VersityServer.start("bucket");
    credentials =
        new RenewedCredentials(engine.credentialsFile(), Duration.ZERO, Clock.systemUTC());
    client = client(engine.endpoint(), "bucket", credentials);
  }

  @AfterAll
  static void end() {
    client.close();
    credentials.close();
    engine.close();
  }

  @Override
  S3Client client() {
    return client;
  }

  @Override
  EngineTraits expected() {
    return new EngineTraits(true, true, true, true, true, true, true, true, true);
  }
}
