package dev.staithe.storage.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.files.StoragePath;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As many rules as there may be. */
class ManyRulesIT {
  private static final int MILLION = 1_000_000;

  @TempDir private Path folder;

  @Test
  void millionRulesAreTakenAndDecide() throws IOException {
    Path file = folder.resolve("million.yml");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("rules:\n");
      for (int i = 0; i < MILLION; i++) {
        out.write("- {permit: read, path: /d" + i / 1000 + "/f" + i + ", anyone: true}\n");
      }
    }
    Policy policy = PolicyFile.read(file, Set.of());

    assertThat(policy.size()).isEqualTo(MILLION);
    Asked asked = new Asked(new Caller.Anonymous(), null, "GET");
    assertThat(policy.decide(asked, StoragePath.of("/d777/f777777/x"), Right.READ))
        .isNotNull()
        .extracting(PolicyRule::number)
        .isEqualTo(777_778);
    assertThat(policy.decide(asked, StoragePath.of("/d777/f777"), Right.READ)).isNull();
  }
}
