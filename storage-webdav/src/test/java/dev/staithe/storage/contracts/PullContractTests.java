package dev.staithe.storage.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.database.DatabaseProperties;
import dev.staithe.database.Databases;
import dev.staithe.http.HeaderField;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.contracts.journal.ContractStore;
import dev.staithe.storage.issuers.IdTokenKeys;
import dev.staithe.storage.issuers.IssuerKeys;
import dev.staithe.storage.issuers.KeyPolicy;
import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What several copies agree to while the terms of their source are learned. */
final class PullContractTests {
  private static final String HOST = "p.example:8443";
  private static final String ONE = "11".repeat(32);
  private static final String OTHER = "22".repeat(32);
  private static final String STRANGE = "33".repeat(32);

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
                Set.of(ONE, OTHER),
                Duration.ofHours(1)),
            Map.of(
                "data",
                new AreaContracts(
                    AreaContracts.Mode.REQUIRE,
                    Set.of(HOST),
                    null,
                    List.of(),
                    Map.of(),
                    "",
                    "",
                    AreaContracts.Receipts.SYNC,
                    100)),
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

  private PullContract pull() {
    return contracts.pull("data", "/f", false).orElseThrow();
  }

  /** The terms that it agrees to as it asks. */
  private static String asks(PullContract pull) throws IOException, BadSignature {
    String field =
        pull.ask("GET", HOST, "https://" + HOST + "/data/f", List.of()).stream()
            .filter(each -> each.name().equals(Party.CONTRACT))
            .map(HeaderField::value)
            .findFirst()
            .orElseThrow();
    return ContractField.parse(field).terms();
  }

  private static boolean refused(PullContract pull, String terms) {
    String field = ":" + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(terms)) + ":";
    return pull.mayAskAgain(403, List.of(new HeaderField(Contracts.TERMS, field)));
  }

  @Test
  void copiesThatAskAtOnceBeforeTheTermsAreKnownAllAgreeToThem() throws Exception {
    PullContract first = pull();
    PullContract second = pull();
    assertThat(asks(first)).isEmpty();
    assertThat(asks(second)).isEmpty();

    assertThat(refused(first, ONE)).isTrue();
    assertThat(refused(second, ONE)).isTrue();
    assertThat(asks(first)).isEqualTo(ONE);
    assertThat(asks(second)).isEqualTo(ONE);
    assertThat(refused(second, ONE)).as("it agreed, and is refused all the same").isFalse();
    assertThat(asks(pull())).as("from the beginning").isEqualTo(ONE);
  }

  @Test
  void copiesFromTwoAreasOfOneHostAgreeEachToTheTermsOfItsOwn() throws Exception {
    PullContract first = pull();
    PullContract second = pull();
    asks(first);
    asks(second);

    assertThat(refused(first, ONE)).isTrue();
    assertThat(refused(second, OTHER)).isTrue();
    assertThat(asks(first)).isEqualTo(ONE);
    assertThat(asks(second)).isEqualTo(OTHER);
  }

  @Test
  void termsThatAreNotAcceptedHereAreNotAgreedTo() throws Exception {
    PullContract pull = pull();
    asks(pull);

    assertThat(refused(pull, STRANGE)).isFalse();
    assertThat(asks(pull)).isEmpty();
  }
}
