package dev.staithe.slcs.ca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.database.Migrations;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.slcs.issue.OpenSsl;
import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By which key answers about single certificates are signed, as openssl reads them. */
final class StatusAnswersTests {
  @TempDir Path folder;

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-03-01T12:00:00Z"));
  private JdbcConnectionPool pool;
  private StatusAnswers answers;
  private byte[] question;

  @BeforeEach
  void open() throws IOException {
    pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
    Migrations.run(pool, "ca");
    answersOf(CertificateIssuer.create("Test", KeyKind.EC_P256, Duration.ofDays(90), clock));
  }

  private void answersOf(CertificateIssuer issuer) throws IOException {
    answers =
        new StatusAnswers(
            issuer, new CertificateStore(pool, "authority"), Duration.ofHours(1), clock);
    Pem.writeCertificates(folder.resolve("ca.pem"), List.of(issuer.certificate()));
    openssl("ocsp", "-issuer", "ca.pem", "-serial", "0xa1", "-no_nonce", "-reqout", "q.der");
    question = Files.readAllBytes(folder.resolve("q.der"));
  }

  @AfterEach
  void close() {
    pool.dispose();
  }

  private String openssl(String... arguments) {
    return new OpenSsl(folder).run(arguments).text();
  }

  /** An answer as text, with the certificate of the key that signed it. */
  private String answer() throws IOException {
    Files.write(folder.resolve("a.der"), answers.answer(question).encoded());
    return openssl("ocsp", "-respin", "a.der", "-resp_text", "-noverify");
  }

  @Test
  void keyOfAClockThatWasAheadIsReplacedOnceThatIsRight() throws IOException {
    clock.advance(Duration.ofHours(9));
    assertThat(answer()).contains("Not Before: Mar  1 20:55:00 2026 GMT");
    clock.advance(Duration.ofMinutes(-4));
    assertThat(answer()).as("clocks may differ by that").contains("Mar  1 20:55:00 2026 GMT");

    clock.advance(Duration.ofHours(-8));

    assertThat(answer()).contains("Not Before: Mar  1 12:51:00 2026 GMT");
  }

  @Test
  void keyIsReplacedAtHalfOfItsTime() throws IOException {
    assertThat(answer()).contains("Not Before: Mar  1 11:55:00 2026 GMT");
    clock.advance(Duration.ofDays(6));
    assertThat(answer()).contains("Not Before: Mar  1 11:55:00 2026 GMT");

    clock.advance(Duration.ofDays(2));

    assertThat(answer()).contains("Not Before: Mar  9 11:55:00 2026 GMT");
  }

  @Test
  void keyGoesOnWhileTheAuthorityDoesNotSign() throws IOException {
    var signing = MutableClock.at(clock.instant());
    answersOf(CertificateIssuer.create("Test", KeyKind.EC_P256, Duration.ofDays(90), signing));
    assertThat(answer()).contains("Not Before: Mar  1 11:55:00 2026 GMT");
    clock.advance(Duration.ofDays(8));
    // As with a token that was pulled: an authority signs nothing before it begins.
    signing.advance(Duration.ofDays(-1));

    assertThat(answer()).contains("Not Before: Mar  1 11:55:00 2026 GMT");

    signing.set(clock.instant());
    clock.advance(Duration.ofMinutes(2));
    assertThat(answer()).contains("Not Before: Mar  9 11:55:00 2026 GMT");
  }
}
