package dev.staithe.storage.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.database.DatabaseProperties;
import dev.staithe.database.Databases;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.contracts.journal.ContractRow;
import dev.staithe.storage.contracts.journal.ContractStore;
import dev.staithe.storage.issuers.IdTokenKeys;
import dev.staithe.storage.issuers.IssuerKeys;
import dev.staithe.storage.issuers.KeyPolicy;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is to be told of transfers whose database is away as they end, or that took long. */
final class AcknowledgingTests {
  private static final String ID = "019aa000-0000-7000-8000-000000000001";

  @TempDir private Path folder;
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-20T12:00:00Z"));
  private HikariDataSource source;
  private ContractStore store;
  private Contracts contracts;

  @BeforeEach
  void open() throws Exception {
    Path key = folder.resolve("key.pem");
    Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
    source =
        new Databases(new DatabaseProperties(null, "staithe", null, 3), folder, "contracts")
            .migrated("contracts", null, "staithe.contracts.database", "contracts");
    store = ContractStore.open(source, folder);
    contracts =
        Contracts.open(
            new Contracts.Site(
                "https://a.example",
                ContractKey.read(key),
                List.of(),
                Map.of("jurisdiction", "DE"),
                null,
                folder,
                Set.of(),
                Duration.ofHours(1)),
            Map.of(),
            store,
            (host, port) -> {
              throw new IllegalStateException("nobody is connected with");
            },
            new IdTokenKeys(
                new IssuerKeys(
                    List.of(),
                    Map.of(),
                    Duration.ZERO,
                    SSLContext.getDefault(),
                    KeyPolicy.DEFAULT,
                    clock)),
            clock);
  }

  @AfterEach
  void close() {
    contracts.close();
    store.close();
    source.close();
  }

  private void sql(String statement) {
    JdbcClient.create(source).sql(statement).update();
  }

  /** As of a transfer that has taken longer than contracts are kept in memory. */
  private ContractRow begun() {
    ContractRow row =
        new ContractRow(
            ContractRow.Side.RECEIVER,
            ID,
            ContractRow.State.AGREED,
            "data",
            "/f",
            "127.0.0.1:9",
            clock.instant(),
            1,
            "ab".repeat(32),
            new ContractRecord.Part("\"@target-uri\": https://127.0.0.1:9/data/f", "c=:AAAA:"),
            new ContractRecord.Part("\"@status\": 200", "c=:AAAA:"),
            "",
            null,
            null);
    store.add(row);
    assertThat(store.untold(Instant.EPOCH)).as("it is in the database now").isZero();
    return row;
  }

  private ContractRow.State state() {
    return store.find(ContractRow.Side.RECEIVER, ID).orElseThrow().state();
  }

  @Test
  void transferThatBreaksOffWhileTheDatabaseIsAwayIsKeptAsBrokenOnceItIsBack() {
    ContractRow row = begun();
    Acknowledging acknowledging = contracts.acknowledging();
    sql("alter table contract rename to away");
    Received received = new Received(true, 1, Hash.of(new byte[1]), clock.instant());
    assertThatThrownBy(() -> acknowledging.verified(row, received))
        .isInstanceOf(RuntimeException.class);
    acknowledging.refused(row, acknowledging.nothing());

    sql("alter table away rename to contract");
    assertThat(state()).isEqualTo(ContractRow.State.AGREED);
    contracts.start();
    Eventually.holds("it is to be told", () -> state() == ContractRow.State.BROKEN);
  }

  @Test
  void transferThatTookLongerThanADayIsToldOfForADayFromItsEnd() {
    ContractRow row = begun();
    clock.advance(Duration.ofHours(25));
    contracts.acknowledging().refused(row, contracts.acknowledging().nothing());

    List<String> told = new ArrayList<>();
    new TellingRound(store, clock.instant(), () -> false)
        .each(ContractRow.State.BROKEN, each -> told.add(each.id()));
    assertThat(told).containsExactly(ID);
    assertThat(contracts.untold()).isEqualTo(1);

    clock.advance(Duration.ofHours(25));
    assertThat(contracts.untold()).isZero();
  }
}
