package dev.staithe.gateway.publish;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions of a service as its requests ask for them. The description is read aside, at the
 * first need and again, at need, when it is old. Requests wait for the first reading, once and for
 * a bounded time, since without it a service that needs an action would refuse them; they never
 * wait for a later one. Thread-safe.
 */
final class KnownActions {
  private static final Logger log = LoggerFactory.getLogger(KnownActions.class);

  /** Of a service that cannot tell: how long nobody asks it again, doubled each time. */
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** Nobody asks for so long. */
  private record Rest(Instant since, Duration length) {}

  private final Supplier<@Nullable Actions> description;
  private final Duration fresh;
  private final Duration patience;
  private final Executor aside;
  private final Clock clock;
  private final CountDownLatch first = new CountDownLatch(1);
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile Actions known = Actions.NONE;
  private volatile Rest rest = new Rest(Instant.EPOCH, Duration.ZERO);
  // Of the one who reads; the next one sees what it wrote, as there is one at a time.
  private Duration pause = FIRST_PAUSE;
  private Set<QName> told = Set.of();

  /**
   * Nothing is read yet.
   *
   * @param description reads it, however long that takes; gives null where it cannot be had
   * @param fresh for how long what was read is good without reading again
   * @param patience of the requests that come before anything was read
   * @param aside where it is read
   */
  KnownActions(
      Supplier<@Nullable Actions> description,
      Duration fresh,
      Duration patience,
      Executor aside,
      Clock clock) {
    this.description = description;
    this.fresh = fresh;
    this.patience = patience;
    this.aside = aside;
    this.clock = clock;
  }

  /** What is known; nothing where the description cannot be had. */
  Actions get() {
    if (isDue() && reading.compareAndSet(false, true)) {
      aside.execute(this::read);
    }
    if (first.getCount() > 0) {
      await();
    }
    return known;
  }

  /** By distance: a clock that was set back keeps nobody waiting until it has caught up. */
  private boolean isDue() {
    Rest now = rest;
    return Duration.between(now.since(), clock.instant()).abs().compareTo(now.length()) >= 0;
  }

  private void await() {
    try {
      if (!first.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        // Nobody after this one waits.
        first.countDown();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try {
      if (isDue()) {
        take(description.get());
      }
    } catch (RuntimeException e) {
      log.error("the actions of a description cannot be told", e);
      later();
    } finally {
      first.countDown();
      reading.set(false);
    }
  }

  private void take(@Nullable Actions now) {
    if (now == null) {
      later();
      return;
    }
    known = now;
    pause = FIRST_PAUSE;
    rest = new Rest(clock.instant(), fresh);
    tell(now.ambiguous());
  }

  private void later() {
    rest = new Rest(clock.instant(), pause);
    Duration twice = pause.multipliedBy(2);
    pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
  }

  private void tell(Set<QName> ambiguous) {
    if (!ambiguous.isEmpty() && !ambiguous.equals(told)) {
      log.warn(
          "operations of a description share what their requests begin with, and differ in their"
              + " action: {}; such requests go on without one, unless they have a signed wsa:Action",
          ambiguous.stream()
              .map(each -> each.equals(Actions.NOTHING) ? "an empty body" : each.toString())
              .sorted()
              .collect(Collectors.joining(", ")));
    }
    told = ambiguous;
  }
}
