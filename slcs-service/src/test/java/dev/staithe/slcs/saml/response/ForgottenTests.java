package dev.staithe.slcs.saml.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.database.Migrations;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node forgets that others use too. */
class ForgottenTests {
  private static final String PROVIDER = "https://idp.example.org";

  @TempDir Path folder;

  @Test
  void nodeWhoseClockIsAheadForgetsOnlyWhatIsOverByTheDatabaseToo() {
    var store = new JdbcDataSource();
    store.setUrl("jdbc:h2:" + folder.resolve("saml"));
    Migrations.run(store, "saml");
    Clock right = Clock.systemUTC();
    Clock ahead = Clock.offset(right, Duration.ofDays(1));
    Duration lifetime = Duration.ofMinutes(10);
    new SentRequests(store, lifetime, right)
        .keep(
            new SentRequests.Sent("sent", PROVIDER, SentRequests.Door.WEB, null, "/certificates"));
    var ids = new ConsumedIds(store, right);
    ids.take(PROVIDER, Map.of("response", "good"), Instant.now(right).plus(lifetime));
    ids.take(PROVIDER, Map.of("response", "over"), Instant.now(right).minus(lifetime));

    assertThat(new SentRequests(store, lifetime, ahead).sweep()).isZero();
    assertThat(new ConsumedIds(store, ahead).sweep()).isEqualTo(1);

    assertThat(ids.isTaken(PROVIDER, "response", "good")).isTrue();
  }
}
