package dev.staithe.authn.keys;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import dev.staithe.authn.oauth.OauthStore;
import dev.staithe.testkit.MutableClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

final class SigningKeysTests {
  private static final KeyPlan PLAN =
      new KeyPlan(
          Set.of(KeyAlgorithm.ES256),
          Duration.ofHours(100),
          Duration.ofHours(10),
          Duration.ofHours(6));

  private final OauthStore store = new OauthStore();
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T10:00:00Z"));
  private final SigningKeys one = new SigningKeys(store.source(), PLAN, clock, KeySeal.none());
  private final SigningKeys two = new SigningKeys(store.source(), PLAN, clock, KeySeal.none());

  @AfterEach
  void stop() {
    store.close();
  }

  private static List<String> published(SigningKeys keys) {
    return keys.get(new JWKSelector(new JWKMatcher.Builder().build()), null).stream()
        .map(JWK::getKeyID)
        .toList();
  }

  private static String signing(SigningKeys keys) {
    return keys.signing(KeyAlgorithm.ES256).getKeyID();
  }

  @Test
  void nodesShareTheirKeys() {
    assertThat(signing(one)).isEqualTo(signing(two));
    assertThat(published(one)).containsExactlyInAnyOrderElementsOf(published(two));
    assertThat(one.signing(KeyAlgorithm.RS256).getKeyID())
        .isEqualTo(two.signing(KeyAlgorithm.RS256).getKeyID());
  }

  @Test
  void newKeyIsPublishedBeforeItSignsAndTheOldOneUntilItsTokensAreGone() {
    String first = signing(one);

    clock.advance(Duration.ofHours(89));
    assertThat(published(one)).hasSize(2); // one of each algorithm
    clock.advance(Duration.ofHours(2)); // 91 h: the next is out, and signs at 100 h
    assertThat(published(one)).hasSize(4).contains(first);
    assertThat(published(two)).hasSize(4);
    assertThat(signing(one)).isEqualTo(first);

    clock.advance(Duration.ofHours(10)); // 101 h
    String second = signing(one);
    assertThat(second).isNotEqualTo(first);
    assertThat(signing(two)).isEqualTo(second);
    assertThat(published(one)).contains(first, second);

    clock.advance(Duration.ofHours(4)); // 105 h: tokens of the first may still live
    assertThat(published(one)).contains(first);
    clock.advance(Duration.ofHours(3)); // 108 h
    assertThat(published(one)).doesNotContain(first).contains(second);
    assertThat(published(two)).doesNotContain(first);
  }

  @Test
  void keyOfAnAlgorithmThatIsGivenNoMoreStaysUntilItsTokensAreGone() {
    String last = signing(one);
    SigningKeys without =
        new SigningKeys(
            store.source(),
            new KeyPlan(Set.of(), PLAN.rotation(), PLAN.overlap(), PLAN.keep()),
            clock,
            KeySeal.none());

    clock.advance(Duration.ofHours(105)); // it may have signed until 100 h
    assertThat(published(without)).contains(last);
    clock.advance(Duration.ofHours(2)); // 107 h
    assertThat(published(without)).doesNotContain(last).isNotEmpty();
  }

  @Test
  void serviceThatWasOffForLongPublishesBeforeItSignsAllTheSame() {
    String first = signing(one);

    clock.advance(Duration.ofHours(500));
    assertThat(signing(one)).isEqualTo(first);
    assertThat(published(one)).hasSize(4);
    clock.advance(Duration.ofHours(11));

    assertThat(signing(one)).isNotEqualTo(first);
  }

  /** A store that may be away, and counts who asks. */
  private static final class Counting extends DelegatingDataSource {
    boolean away;
    int asked;

    Counting(DataSource store) {
      super(store);
    }

    @Override
    public Connection getConnection() throws SQLException {
      asked++;
      if (away) {
        throw new SQLException("the test has taken the store away");
      }
      return super.getConnection();
    }
  }

  /** It takes seconds to say that it is away, and everybody wants the keys. */
  @Test
  void storeThatIsAwayIsNotAskedByEachWhoWantsAKeyAndSoonWhenItIsBack() {
    Counting source = new Counting(store.source());
    SigningKeys node = new SigningKeys(source, PLAN, clock, KeySeal.none());
    List<String> known = published(node);

    source.away = true;
    clock.advance(Duration.ofHours(91)); // the other publishes what signs at 100 h
    assertThat(published(two)).hasSize(4);
    int before = source.asked;
    for (int i = 0; i < 100; i++) {
      assertThat(published(node)).isEqualTo(known);
    }
    assertThat(source.asked - before).isOne();

    source.away = false;
    clock.advance(Duration.ofSeconds(30));
    assertThat(published(node)).hasSize(4).containsAll(known);
  }

  @Test
  void nodeWhoseClockWasAheadHasTheKeysOfOthersOnceItIsRight() {
    KeyPlan sooner =
        new KeyPlan(
            PLAN.algorithms(), Duration.ofHours(20), Duration.ofHours(10), Duration.ofHours(6));
    SigningKeys other = new SigningKeys(store.source(), sooner, clock, KeySeal.none());
    List<String> first = published(other);
    MutableClock wrong = MutableClock.at(clock.instant().plus(Duration.ofHours(80)));
    SigningKeys node = new SigningKeys(store.source(), PLAN, wrong, KeySeal.none());
    assertThat(published(node)).containsExactlyInAnyOrderElementsOf(first);

    wrong.set(clock.instant());
    clock.advance(Duration.ofHours(11)); // the other publishes what signs at 20 h
    wrong.advance(Duration.ofHours(11));

    assertThat(published(other)).hasSize(4);
    assertThat(published(node)).containsExactlyInAnyOrderElementsOf(published(other));
  }

  @Test
  void nodeWhoseClockIsFarAheadOfTheStoresChangesNoKeys() {
    MutableClock wrong = MutableClock.at(Instant.parse("2999-01-01T00:00:00Z"));
    SigningKeys node = SigningKeys.byTheStoresTime(store.source(), PLAN, wrong, KeySeal.none());
    List<String> first = published(node);

    wrong.advance(Duration.ofHours(91));
    assertThat(published(node)).isEqualTo(first);
    wrong.advance(Duration.ofHours(91));

    assertThat(published(node)).isEqualTo(first);
    assertThat(first).contains(signing(node)).hasSize(2);
  }

  @Test
  void keyThatSignsIsOnEveryNodeBeforeItDoes() {
    signing(one);
    signing(two);
    for (int hour = 0; hour < 400; hour++) {
      clock.advance(Duration.ofHours(1));
      assertThat(published(two)).contains(signing(one));
      assertThat(published(one)).contains(signing(two));
    }
  }
}
