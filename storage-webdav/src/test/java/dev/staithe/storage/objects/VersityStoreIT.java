package dev.staithe.storage.objects;

import dev.staithe.peers.ObjectEngine;
import dev.staithe.peers.VersityServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract in a bucket of the Versity gateway. */
final class VersityStoreIT extends BucketContract {
  private static VersityServer engine;

  @BeforeAll
  static void start() {
    engine = VersityServer.start(BucketFixture.BUCKET);
  }

  @AfterAll
  static void end() {
    engine.close();
  }

  @Override
  ObjectEngine engine() {
    return engine;
  }
}
