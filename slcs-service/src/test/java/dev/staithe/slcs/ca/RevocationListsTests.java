package dev.staithe.slcs.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.database.Migrations;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.RevocationReason;
import dev.staithe.service.Networks;
import dev.staithe.service.log.AuditLog;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.MutableClock;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.UriCompliance;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** What lists say of certificates that are revoked at an awkward time. */
final class RevocationListsTests {
  private static final String ALICES = "a1";
  private static final String BOBS = "b2";

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-03-01T12:00:00Z"));
  private final AtomicReference<Runnable> whileSigning = new AtomicReference<>(() -> {});
  private JdbcConnectionPool pool;
  private CertificateStore store;
  private CertificateIssuer issuer;
  private RevocationLists lists;

  @BeforeEach
  void open() {
    pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
    Migrations.run(pool, "ca");
    store = new CertificateStore(pool, "authority");
    issuer =
        CertificateIssuer.create("Test", KeyKind.EC_P256, Duration.ofDays(30), new SigningClock());
    lists = node();
  }

  @AfterEach
  void close() {
    pool.dispose();
  }

  private RevocationLists node() {
    return new RevocationLists(issuer, store, settings(Path.of("ca")), clock);
  }

  private static CaSettings settings(Path key) {
    return settings(key, Duration.ofDays(7));
  }

  private static CaSettings settings(Path key, Duration validity) {
    return new CaSettings(
        new CaSettings.Key.Development(key, KeyKind.EC_P256),
        "test",
        List.of(),
        List.of(),
        URI.create("http://ca.example.org"),
        null,
        List.of(),
        Duration.ofDays(1),
        validity,
        Duration.ofHours(1));
  }

  /** The test's time. The authority asks for it when it signs, and something happens then. */
  private final class SigningClock extends Clock {
    @Override
    public Instant instant() {
      whileSigning.getAndSet(() -> {}).run();
      return clock.instant();
    }

    @Override
    public ZoneId getZone() {
      return clock.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }

  private void issued(String serial, Duration lasting) {
    Instant now = clock.instant();
    store.add(
        new IssuedCertificate(serial, "/CN=x", "x", "key", now, now.plus(lasting), null, null),
        new byte[] {1});
  }

  private void revoke(String serial) {
    assertThat(store.revoke(serial, clock.instant(), RevocationReason.KEY_COMPROMISE)).isTrue();
  }

  private static Set<String> serials(CertificateStore.Crl crl) throws Exception {
    var list =
        (X509CRL)
            CertificateFactory.getInstance("X.509")
                .generateCRL(new ByteArrayInputStream(crl.der()));
    var entries = list.getRevokedCertificates();
    return entries == null
        ? Set.of()
        : entries.stream()
            .map(entry -> entry.getSerialNumber().toString(16))
            .collect(Collectors.toSet());
  }

  @Test
  void certificateThatIsRevokedWhileAListIsSignedIsInTheNextOne() throws Exception {
    issued(ALICES, Duration.ofHours(12));
    issued(BOBS, Duration.ofHours(12));
    RevocationLists other = node();
    revoke(ALICES);
    // By another node: its change is there before the list is.
    whileSigning.set(() -> CompletableFuture.runAsync(() -> revoke(BOBS)).join());

    assertThat(serials(lists.renew())).containsExactly(ALICES);

    assertThat(serials(other.renew())).containsExactlyInAnyOrder(ALICES, BOBS);
    assertThat(other.renew().number()).as("that is all there is to say").isEqualTo(2);
  }

  @Test
  void whatAListThatWasNotSignedWasToSayIsInTheNextOne() throws Exception {
    issued(ALICES, Duration.ofHours(12));
    lists.renew();
    revoke(ALICES);
    whileSigning.set(
        () -> {
          throw new IllegalStateException("the token was pulled");
        });
    assertThatThrownBy(lists::renew).isInstanceOf(IllegalStateException.class);

    assertThat(serials(lists.renew())).containsExactly(ALICES);
  }

  @Test
  void firstListThatIsNotSignedIsToBeAskedForAgainSoon(@TempDir Path folder) throws Exception {
    int port = FreePort.next();
    var asked = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/crl.der")).build();
    var audit = new AuditLog(folder.resolve("audit.log"), 30, clock);
    var authority =
        new CertificateAuthority(settings(folder.resolve("ca")), pool, audit, new SigningClock());
    try (var _ =
            new PlainDoor(
                "127.0.0.1",
                port,
                UriCompliance.DEFAULT,
                Networks.parse(List.of()),
                PublishedFilesTests.limits(Duration.ofSeconds(30)),
                authority,
                clock);
        var client = HttpClient.newHttpClient()) {
      whileSigning.set(
          () -> {
            throw new IllegalStateException("the token was pulled");
          });

      var refused = client.send(asked, HttpResponse.BodyHandlers.discarding());

      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(client.send(asked, HttpResponse.BodyHandlers.discarding()).statusCode())
          .isEqualTo(200);
    } finally {
      audit.close();
    }
  }

  @Test
  void certificateThatIsRevokedLongAfterItsEndMakesOneListMoreAndNotOneEachTime() {
    issued(ALICES, Duration.ofHours(12));
    clock.advance(Duration.ofDays(3));
    revoke(ALICES);

    long number = lists.renew().number();

    assertThat(lists.renew().number()).isEqualTo(number);
  }

  @Test
  void listOfAClockThatWasAheadIsReplacedOnceThatIsRight() {
    clock.advance(Duration.ofHours(9));
    long number = lists.renew().number();
    clock.advance(Duration.ofMinutes(-4));
    assertThat(lists.renew().number()).as("clocks may differ by that").isEqualTo(number);

    clock.advance(Duration.ofHours(-9));
    CertificateStore.Crl right = lists.renew();

    assertThat(right.number()).isEqualTo(number + 1);
    assertThat(right.made()).isEqualTo(clock.instant());
    assertThat(node().renew().number()).as("nothing else is due").isEqualTo(number + 1);
  }

  @Test
  void databaseThatIsAwayIsAskedByOneDownloadAndNotByEach() {
    var away = new AtomicBoolean();
    var asked = new AtomicInteger();
    store =
        new CertificateStore(
            new DelegatingDataSource(pool) {
              @Override
              public Connection getConnection() throws SQLException {
                asked.incrementAndGet();
                if (away.get()) {
                  // As long as that takes.
                  clock.advance(Duration.ofSeconds(3));
                  throw new SQLTransientConnectionException("no answer");
                }
                return super.getConnection();
              }
            },
            "authority");
    RevocationLists node = node();
    long number = node.current().number();
    clock.advance(Duration.ofSeconds(3));
    away.set(true);
    asked.set(0);

    for (int i = 0; i < 5; i++) {
      assertThat(node.current().number()).isEqualTo(number);
    }

    assertThat(asked).hasValue(1);
  }

  /** A store that does something once when it has given a connection back. */
  private CertificateStore telling(AtomicReference<Runnable> afterReading) {
    return new CertificateStore(
        new DelegatingDataSource(pool) {
          @Override
          public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection)
                Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (_, method, arguments) -> {
                      Object answer = method.invoke(connection, arguments);
                      if (method.getName().equals("close")) {
                        afterReading.getAndSet(() -> {}).run();
                      }
                      return answer;
                    });
          }
        },
        "authority");
  }

  @Test
  void listThatWasReadBeforeTheNextWasMadeDoesNotTakeItsPlace() {
    var afterReading = new AtomicReference<Runnable>(() -> {});
    store = telling(afterReading);
    RevocationLists node = node();
    long number = node.current().number();
    issued(ALICES, Duration.ofHours(12));
    revoke(ALICES);
    clock.advance(Duration.ofSeconds(3));
    afterReading.set(() -> CompletableFuture.runAsync(node::renew).join());

    node.current();

    assertThat(node.current().number()).isEqualTo(number + 1);
  }

  @Test
  void listThatWasFoundGoodBeforeTheNextWasMadeDoesNotTakeItsPlace() {
    var afterReading = new AtomicReference<Runnable>(() -> {});
    store = telling(afterReading);
    RevocationLists node = node();
    long number = node.renew().number();
    issued(ALICES, Duration.ofHours(12));
    Runnable revoked =
        () ->
            CompletableFuture.runAsync(
                    () -> {
                      revoke(ALICES);
                      node.renew();
                    })
                .join();
    // The list is read first, and then whether there is anything that it does not say.
    afterReading.set(() -> afterReading.set(revoked));

    node.renew();

    assertThat(node.current().number()).isEqualTo(number + 1);
  }

  @Test
  void listThatIsGoodForNoLongerThanTheIntervalIsReplacedBeforeItIsOver() {
    var node =
        new RevocationLists(issuer, store, settings(Path.of("ca"), Duration.ofDays(1)), clock);
    long number = node.renew().number();
    clock.advance(Duration.ofHours(23));
    assertThat(node.renew().number()).isEqualTo(number);

    clock.advance(Duration.ofMinutes(58));

    assertThat(node.renew().number()).isEqualTo(number + 1);
  }

  @Test
  void listThatWasReadByAClockThatWasAheadIsReadAgainOnceThatIsRight() {
    clock.advance(Duration.ofMinutes(4));
    long number = lists.current().number();
    clock.advance(Duration.ofMinutes(-4));
    issued(ALICES, Duration.ofHours(12));
    revoke(ALICES);
    node().renew();

    assertThat(lists.current().number()).isEqualTo(number + 1);
  }

  @Test
  void certificateThatEndedWhileNoListWasMadeStandsInOneMore() throws Exception {
    issued(ALICES, Duration.ofHours(12));
    lists.renew();
    revoke(ALICES);
    clock.advance(Duration.ofDays(3));

    assertThat(serials(lists.renew())).as("of three days").containsExactly(ALICES);
    clock.advance(Duration.ofDays(1));
    assertThat(serials(lists.renew())).isEmpty();
  }
}
