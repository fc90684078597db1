package dev.staithe.storage.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.CephServer;
import dev.staithe.peers.ObjectEngine;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract in a bucket of Debian's Ceph. {@code ./verify --all} runs it, by its name. */
final class RgwStoreTrial extends BucketContract {
  @BeforeAll
  static void start() {
    CephServer.shared().bucket(BucketFixture.BUCKET);
  }

  @Override
  ObjectEngine engine() {
    return CephServer.shared();
  }

  @Test
  void ofTwoServersThatCreateOneFileOneDoesAndItsBytesStay(@TempDir Path states) throws Exception {
    String prefix = BucketFixture.prefix();
    try (ObjectStore one = bucket().open(prefix, states.resolve("one"));
        ObjectStore two = bucket().open(prefix, states.resolve("two"))) {
      assertThat(one.traits().completesOnce()).isFalse();
      ObjectLeasesIT.race(one, two, 20, () -> true);
    }
  }

  /** It gives an object whose tags are set the time of that moment. */
  @Override
  protected boolean keepsTimeOfChecked() {
    return false;
  }
}
