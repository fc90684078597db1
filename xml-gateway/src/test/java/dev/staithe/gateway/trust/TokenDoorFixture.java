package dev.staithe.gateway.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.trust.TrustVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A door with small limits, and who asks at it. */
abstract class TokenDoorFixture {
  static final ContextLimits LIMITS =
      new ContextLimits(Duration.ofMinutes(10), Duration.ofHours(1), 5, 3);

  @TempDir Path folder;
  Asking asking;

  @BeforeEach
  void open() throws IOException {
    asking = new Asking(folder, LIMITS);
  }

  static byte[] entropy() {
    byte[] entropy = new byte[32];
    entropy[0] = 7;
    return entropy;
  }

  SecurityContext context() {
    return asking.granted(Asking.issue(TrustVersion.OASIS, null), null).context();
  }

  static String text(byte @Nullable [] envelope) {
    return envelope == null ? "" : new String(envelope, StandardCharsets.UTF_8);
  }

  void assertRefused(TokenOutcome outcome, Refusal reason, String fault) {
    TokenOutcome.Refused refused = Asking.refused(outcome);
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(text(refused.envelope())).contains("t:" + fault + "<");
  }
}
