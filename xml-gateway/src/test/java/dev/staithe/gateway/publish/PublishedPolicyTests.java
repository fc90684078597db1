package dev.staithe.gateway.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.service.log.AuditLog;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.BuiltInPolicies;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Status;

final class PublishedPolicyTests {
  private static final byte[] NONE = BuiltInPolicies.document("none", AlgorithmList.MODERN);
  private static final byte[] X509 = BuiltInPolicies.document("x509", AlgorithmList.MODERN);
  private static final byte[] OLD = BuiltInPolicies.document("x509", AlgorithmList.INTEROP);

  @TempDir Path folder;
  private final Clock clock = MutableClock.at(Instant.parse("2026-01-01T00:00:00Z"));
  private Path file;
  private Path lines;
  private AuditLog audit;

  @BeforeEach
  void open() throws IOException {
    file = folder.resolve("jobs.xml");
    lines = folder.resolve("audit.log");
    audit = new AuditLog(lines, 1, clock);
  }

  @AfterEach
  void close() {
    audit.close();
  }

  @Test
  void builtInPolicyIsPublishedAsItIs() throws IOException {
    try (PublishedPolicy policy = policy("x509")) {
      assertThat(policy.current().document()).isEqualTo(X509);
      assertThat(policy.current().name()).isEqualTo("x509");
      assertThat(policy.check()).isFalse();
    }
  }

  @Test
  void changedDocumentSwitchesAndIsAudited() throws IOException {
    put(NONE);
    List<Published> told = new ArrayList<>();
    try (PublishedPolicy policy = policy(file.toString())) {
      policy.whenSwitched(told::add);
      Published before = policy.current();
      put(X509);

      assertThat(policy.check()).isTrue();

      assertThat(policy.current().policy().binding()).isEqualTo(new Binding.Asymmetric(false));
      assertThat(policy.current().document()).isEqualTo(X509);
      // Who holds the one before goes on with it.
      assertThat(before.policy().binding()).isEqualTo(new Binding.None());
      assertThat(told).containsExactly(policy.current());
      assertThat(Files.readString(lines))
          .contains("\"event\":\"policy.switch\"")
          .contains("\"old\":\"" + before.policy().version() + "\"")
          .contains("\"new\":\"" + policy.current().policy().version() + "\"");
    }
  }

  @Test
  void sameDocumentWrittenAgainIsNoSwitch() throws IOException {
    put(X509);
    List<Published> told = new ArrayList<>();
    try (PublishedPolicy policy = policy(file.toString())) {
      policy.whenSwitched(told::add);
      put(X509);

      policy.check();

      assertThat(told).isEmpty();
      assertThat(Files.readString(lines)).doesNotContain("policy.switch");
    }
  }

  @Test
  void documentThatIsNotUnderstoodLeavesTheOldOneInForceAndIsAuditedOnce() throws IOException {
    put(X509);
    try (PublishedPolicy policy = policy(file.toString())) {
      put("<wsp:Policy xmlns:wsp='http://www.w3.org/ns/ws-policy'><odd/></wsp:Policy>".getBytes());

      policy.check();
      policy.check();

      assertThat(policy.current().document()).isEqualTo(X509);
      assertThat(policy.lastError()).contains("odd in wsp:Policy is not understood");
      assertThat(Files.readString(lines)).containsOnlyOnce("policy.refused").contains("odd");
    }
  }

  @Test
  void documentWhoseAlgorithmsAreForbiddenLeavesTheOldOneInForce() throws IOException {
    put(X509);
    try (PublishedPolicy policy = policy(file.toString())) {
      put(OLD);

      policy.check();

      assertThat(policy.current().document()).isEqualTo(X509);
      assertThat(policy.lastError()).contains("the list modern does not allow");
    }
  }

  @Test
  void deletedFileLeavesTheOldOneInForceUntilThereIsOneAgain() throws IOException {
    put(X509);
    try (PublishedPolicy policy = policy(file.toString())) {
      Files.delete(file);
      policy.check();
      assertThat(policy.lastError()).isNotNull();

      put(NONE);
      policy.check();

      assertThat(policy.lastError()).isNull();
      assertThat(policy.current().document()).isEqualTo(NONE);
    }
  }

  @Test
  void switchThatFailsLeavesTheOldOneInForce() throws IOException {
    put(NONE);
    try (PublishedPolicy policy = policy(file.toString())) {
      policy.whenSwitched(
          next -> {
            throw new IllegalStateException("no engine for this");
          });
      put(X509);

      policy.check();

      assertThat(policy.current().document()).isEqualTo(NONE);
      assertThat(policy.lastError()).isEqualTo("no engine for this");
      assertThat(Files.readString(lines)).doesNotContain("policy.switch");
    }
  }

  @Test
  void endpointWithoutAPolicyToBeginWithDoesNotStart() {
    assertThatThrownBy(() -> policy(file.toString()))
        .isInstanceOf(IOException.class)
        .hasMessage(file + ": there is neither such a file nor such a built-in policy");
  }

  @Test
  void fileIsWatched() throws IOException {
    put(NONE);
    var registry = new SimpleMeterRegistry();
    var source = new PublishedPolicy.Source("/jobs", file.toString(), AlgorithmList.MODERN);
    try (var all = new PublishedPolicies(List.of(source), Duration.ofMillis(10), audit, clock)) {
      all.bindTo(registry);
      PublishedPolicy policy = all.all().getFirst();
      var stale = registry.get("staithe.gateway.policy.stale").tag("endpoint", "/jobs").gauge();
      assertThat(stale.value()).isZero();

      put("<odd/>".getBytes());
      Eventually.holds("the new document is refused", () -> stale.value() == 1);
      assertThat(all.health().health().getStatus()).isEqualTo(Status.UP);
      assertThat(all.health().health().getDetails().get("/jobs").toString())
          .contains("refused")
          .contains(policy.current().policy().version())
          .doesNotContain(folder.toString());

      put(X509);
      Eventually.holds(
          "the next is in force",
          () -> policy.current().policy().binding() instanceof Binding.Asymmetric);
      assertThat(stale.value()).isZero();
    }
  }

  private PublishedPolicy policy(String policy) throws IOException {
    return PublishedPolicy.open(
        new PublishedPolicy.Source("/jobs", policy, AlgorithmList.MODERN), audit, clock);
  }

  /** By renaming, as those do who know that somebody reads: a new file each time. */
  private void put(byte[] document) throws IOException {
    Path next = Files.createTempFile(folder, "next", ".xml");
    Files.write(next, document);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }
}
