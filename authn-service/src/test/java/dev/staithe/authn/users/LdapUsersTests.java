package dev.staithe.authn.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What needs no directory, because none answers. */
@Timeout(300)
class LdapUsersTests {
  private static final byte[] PASSWORD = {'s', 'e', 'c', 'r', 'e', 't'};

  @TempDir Path folder;

  private final TestStore store = TestStore.h2();

  @AfterEach
  void close() {
    store.close();
  }

  private LdapUsers users(
      int port, LdapSettings.Security security, @Nullable Path trust, int connections)
      throws IOException {
    return LdapUsers.open(
        new LdapSettings(
            List.of("127.0.0.1:" + port),
            security,
            trust,
            null,
            LdapSettings.People.below("dc=example,dc=org"),
            new LdapSettings.Groups.None(),
            connections,
            Duration.ofMillis(300)),
        new SecondFactors(store.database()),
        store.subjects());
  }

  @ParameterizedTest
  @EnumSource(LdapSettings.Security.class)
  void aServerThatAcceptsAndNeverAnswersIsGivenUp(LdapSettings.Security security)
      throws IOException {
    Path trust = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC()).certificateFile();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        LdapUsers users = users(silent.getLocalPort(), security, trust, 1)) {
      assertThatExceptionOfType(UsersUnavailable.class)
          .isThrownBy(() -> users.check("alice", PASSWORD))
          .withMessageStartingWith("LDAP: ")
          .withMessageNotContaining("secret");
    }
  }

  @Test
  void aServerThatIsNotThereIsTold() throws IOException {
    int port;
    try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = gone.getLocalPort();
    }
    try (LdapUsers users = users(port, LdapSettings.Security.PLAIN, null, 1)) {
      assertThatExceptionOfType(UsersUnavailable.class)
          .isThrownBy(() -> users.check("alice", PASSWORD));
      assertThatExceptionOfType(UsersUnavailable.class).isThrownBy(() -> users.find("alice"));
      assertThat(users.check("alice", new byte[0])).isEqualTo(new LdapAnswer.Refused());
    }
  }

  @Test
  void whenTheServerIsSlowThenAFloodIsToldBusyAtOnce() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        LdapUsers users = users(silent.getLocalPort(), LdapSettings.Security.PLAIN, null, 1);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<LdapAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        answers.add(threads.submit(() -> users.check("alice", PASSWORD)));
      }
      Eventually.holds("all are answered", () -> answers.stream().allMatch(Future::isDone));
      long busy =
          answers.stream()
              .filter(answer -> answer.state() == Future.State.SUCCESS)
              .filter(answer -> answer.resultNow() instanceof LdapAnswer.Busy)
              .count();
      assertThat(busy).isBetween(1L, 48L);
      Trials.held(answers.size());
    }
  }

  @Test
  void aFloodOfLoginsLeavesAPlaceToWhoeverIsLookedUp() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        LdapUsers users = users(silent.getLocalPort(), LdapSettings.Security.PLAIN, null, 1);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<LdapAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        answers.add(threads.submit(() -> users.check("alice", PASSWORD)));
      }
      Eventually.holds("one is too many", () -> answers.stream().anyMatch(Future::isDone));

      assertThatExceptionOfType(UsersUnavailable.class)
          .isThrownBy(() -> users.find("alice"))
          .withMessageNotContaining("too many");
    }
  }

  @Test
  void settingsThatCannotWorkAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> users(1, LdapSettings.Security.LDAPS, null, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> users(1, LdapSettings.Security.PLAIN, null, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LdapSettings.Groups.MemberOf("memberOf", "site"));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new LdapSettings.People("dc=x", "(uid=*)", "uid", "cn", "mail", "entryUUID"));
  }
}
