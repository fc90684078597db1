package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.database.Migrations;
import dev.staithe.testkit.MutableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nodes notice that share a database and no key. */
class NodeKeysTests {
  @TempDir Path folder;

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T12:00:00Z"));
  private final JdbcDataSource store = new JdbcDataSource();

  @BeforeEach
  void open() {
    store.setUrl("jdbc:h2:" + folder.resolve("nodes"));
    Migrations.run(store, "saml");
  }

  private NodeKeys node(String key, boolean madeHere) {
    return new NodeKeys(store, key, madeHere, clock);
  }

  @Test
  void nodesWithOneKeyStartAndAreContent() {
    NodeKeys one = node("a", false);
    NodeKeys other = node("a", false);
    one.start();
    other.start();
    one.say();

    assertThat(one.warned()).isFalse();
    assertThat(other.warned()).isFalse();
  }

  @Test
  void nodeThatMadeItsOwnKeyDoesNotStartBesideAnother() {
    node("a", true).start();

    assertThatThrownBy(() -> node("b", true).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the same on all nodes");
  }

  @Test
  void namedKeyThatIsAnotherWarnsBothNodes() {
    NodeKeys old = node("a", false);
    NodeKeys next = node("b", false);
    old.start();
    next.start();
    old.say();

    assertThat(next.warned()).isTrue();
    assertThat(old.warned()).isTrue();
  }

  @Test
  void nodeThatWasStoppedOrIsGoneForAWhileDoesNotCount() {
    NodeKeys stopped = node("a", true);
    stopped.start();
    stopped.close();
    assertThatCode(() -> node("b", true).start()).doesNotThrowAnyException();

    clock.advance(NodeKeys.ALIVE.plus(Duration.ofSeconds(1)));
    assertThatCode(() -> node("c", true).start()).doesNotThrowAnyException();
  }

  @Test
  void warningEndsWithTheOtherKey() {
    NodeKeys old = node("a", false);
    NodeKeys next = node("b", false);
    old.start();
    next.start();
    old.close();
    next.say();

    assertThat(next.warned()).isFalse();
  }
}
