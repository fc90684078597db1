package dev.staithe.storage.redirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.ContractNeed;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.testkit.MutableClock;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TicketsTests {
  private static final byte[] KEY =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final StoragePath PATH = StoragePath.of("/f");

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T10:00:00Z"));
  private final Tickets tickets = new Tickets(KEY, clock);

  private String ticket() {
    return tickets.make(
        "GET",
        "/data/f",
        Set.of(Right.READ),
        ContractNeed.CONTRACT,
        "",
        caller("me@issuer", "issuer"));
  }

  private static Caller caller(String label, String group) {
    return new TicketCaller(label, group, PATH, Set.of(), ContractNeed.NONE);
  }

  private static String refusal(Identification identification) {
    return ((Identification.Refused) identification).reason();
  }

  @Test
  void ticketSaysWhoItWasGivenToAndWhatMayBeDone() {
    assertThat(tickets.take(ticket(), "GET", "/data/f", PATH))
        .isEqualTo(
            new Identification.Identified(
                new TicketCaller(
                    "me@issuer", "issuer", PATH, Set.of(Right.READ), ContractNeed.CONTRACT)));
  }

  @Test
  void ticketTellsWhatTheAreaNeedsAndANodeThatWantsLessDoesNotCoverIt() {
    for (ContractNeed need : ContractNeed.values()) {
      String ticket =
          tickets.make(
              "GET", "/data/f", Set.of(Right.READ), need, "", caller("me@issuer", "issuer"));
      assertThat(tickets.take(ticket, "GET", "/data/f", PATH))
          .isEqualTo(
              new Identification.Identified(
                  new TicketCaller("me@issuer", "issuer", PATH, Set.of(Right.READ), need)));
      assertThat(ContractNeed.ATTESTED.covers(need)).isTrue();
      assertThat(ContractNeed.NONE.covers(need)).isEqualTo(need == ContractNeed.NONE);
    }
    assertThat(ContractNeed.CONTRACT.covers(ContractNeed.ATTESTED)).isFalse();
  }

  @Test
  void ticketOfAnOfferIsTakenOnceForItAndOnceForItsPut() {
    Set<Right> rights = Set.of(Right.CREATE);
    String ticket =
        tickets.make(
            "POST",
            "/data/f",
            rights,
            ContractNeed.CONTRACT,
            "s.example:8443",
            caller("me@issuer", "issuer"));
    for (String method : new String[] {"POST", "PUT"}) {
      assertThat(tickets.take(ticket, method, "/data/f", PATH))
          .isEqualTo(
              new Identification.Identified(
                  new TicketCaller(
                      "me@issuer",
                      "issuer",
                      PATH,
                      rights,
                      ContractNeed.CONTRACT,
                      "s.example:8443")));
      assertThat(refusal(tickets.take(ticket, method, "/data/f", PATH))).contains("used already");
    }
    assertThat(refusal(tickets.take(ticket, "GET", "/data/f", PATH))).contains("another request");
    String put =
        tickets.make("PUT", "/data/f", rights, ContractNeed.CONTRACT, "", caller("me", "issuer"));
    assertThat(refusal(tickets.take(put, "POST", "/data/f", PATH))).contains("another request");
  }

  @Test
  void ticketExpiresAfterAMinute() {
    String early = ticket();
    String late = ticket();
    clock.advance(Duration.ofSeconds(59));
    assertThat(tickets.take(early, "GET", "/data/f", PATH))
        .isInstanceOf(Identification.Identified.class);
    clock.advance(Duration.ofSeconds(1));
    assertThat(refusal(tickets.take(late, "GET", "/data/f", PATH))).contains("expired");
  }

  @Test
  void ticketFromFarInTheFutureIsRefused() {
    clock.advance(Duration.ofSeconds(61));
    String ticket = ticket();
    clock.set(Instant.parse("2026-11-21T10:00:00Z"));
    assertThat(refusal(tickets.take(ticket, "GET", "/data/f", PATH))).contains("expired");
  }

  @Test
  void usedTicketIsRememberedUntilItExpires() {
    String ticket = ticket();
    tickets.take(ticket, "GET", "/data/f", PATH);
    clock.advance(Duration.ofSeconds(59));
    assertThat(refusal(tickets.take(ticket, "GET", "/data/f", PATH))).contains("used already");
    clock.advance(Duration.ofSeconds(1));
    assertThat(refusal(tickets.take(ticket, "GET", "/data/f", PATH))).contains("expired");
  }

  @Test
  void refusalForAnotherRequestDoesNotUseTheTicketUp() {
    String ticket = ticket();
    assertThat(refusal(tickets.take(ticket, "PUT", "/data/f", PATH))).contains("another request");
    assertThat(refusal(tickets.take(ticket, "GET", "/data/f/", PATH))).contains("another request");
    assertThat(refusal(tickets.take(ticket, "GET", "/data/%66", PATH))).contains("another request");
    assertThat(tickets.take(ticket, "GET", "/data/f", PATH))
        .isInstanceOf(Identification.Identified.class);
  }

  @Test
  void ticketOfAnotherKeyIsRefused() {
    Tickets others =
        new Tickets("another key, of thirty-two bytes".getBytes(StandardCharsets.US_ASCII), clock);
    assertThat(refusal(others.take(ticket(), "GET", "/data/f", PATH)))
        .isEqualTo("the ticket is not one of this storage element");
  }

  @Test
  void labelCannotForgeAnotherField() {
    String ticket =
        tickets.make(
            "GET",
            "/data/f",
            Set.of(Right.READ),
            ContractNeed.CONTRACT,
            "s.example\n8443",
            caller("me\n9999999999\nid", "a\nb"));
    assertThat(tickets.take(ticket, "GET", "/data/f", PATH))
        .isEqualTo(
            new Identification.Identified(
                new TicketCaller(
                    "me 9999999999 id",
                    "a b",
                    PATH,
                    Set.of(Right.READ),
                    ContractNeed.CONTRACT,
                    "s.example 8443")));
  }

  @Test
  void shortKeyIsNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Tickets(new byte[31], Clock.systemUTC()))
        .withMessage("the file has 31 bytes; a key has 32 or more");
  }
}
