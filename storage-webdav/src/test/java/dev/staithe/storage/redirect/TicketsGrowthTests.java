package dev.staithe.storage.redirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.authz.ContractNeed;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.testkit.MutableClock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A ticket takes no longer where very many were taken in the minute before. Only the ratio is
 * judged, of the thread's own CPU time, and the best of several tries counts.
 */
class TicketsGrowthTests {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final StoragePath PATH = StoragePath.of("/f");
  private static final int MANY = 40_000;
  private static final int EACH = 100;
  private static final int TRIES = 20;
  private static final double MOST = 5;

  private static Tickets tickets() {
    return new Tickets(
        "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII),
        MutableClock.at(Instant.parse("2026-11-21T10:00:00Z")));
  }

  private static List<String> made(Tickets tickets, int number) {
    TicketCaller caller =
        new TicketCaller("me@issuer", "issuer", PATH, Set.of(), ContractNeed.NONE);
    return Stream.generate(
            () -> tickets.make("GET", "/data/f", Set.of(Right.READ), ContractNeed.NONE, "", caller))
        .limit(number)
        .toList();
  }

  private static void take(Tickets tickets, List<String> presented) {
    for (String ticket : presented) {
      assertThat(tickets.take(ticket, "GET", "/data/f", PATH))
          .isInstanceOf(Identification.Identified.class);
    }
  }

  private static double nanosOfEach(Tickets tickets) {
    long best = Long.MAX_VALUE;
    for (int attempt = 0; attempt < TRIES; attempt++) {
      List<String> presented = made(tickets, EACH);
      long before = THREADS.getCurrentThreadCpuTime();
      take(tickets, presented);
      best = Math.min(best, THREADS.getCurrentThreadCpuTime() - before);
    }
    return (double) best / EACH;
  }

  @Test
  void ticketTakesAsLongAfterManyOthers() {
    Tickets full = tickets();
    take(full, made(full, MANY));
    double many = nanosOfEach(full);
    double few = nanosOfEach(tickets());
    assertThat(many / few).as("%.0f ns, %.0f ns", few, many).isLessThan(MOST);
  }
}
