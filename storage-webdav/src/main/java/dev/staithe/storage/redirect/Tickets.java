package dev.staithe.storage.redirect;

import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.ContractNeed;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.files.StoragePath;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes tickets, and takes each of them once, that of an offer once for the offer and once for its
 * PUT, by a key that all nodes of a storage element share (HMAC-SHA-256, RFC 2104). Nothing that it
 * tells has any part of a ticket. Safe for many threads.
 */
final class Tickets {
  /** How long a ticket is good: for a client to follow a redirect, not more. */
  static final Duration LIFETIME = Duration.ofSeconds(60);

  /** Clocks of nodes may differ by so much; it also bounds what must be remembered. */
  private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(60);

  private static final int LEAST_KEY = 32;
  private static final int LONGEST = 8 * 1024;
  private static final String ALGORITHM = "HmacSHA256";
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private final SecretKeySpec key;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  /** Methods and ids by which tickets were taken, by the second of their end; guarded by itself. */
  private final NavigableMap<Instant, Set<String>> used = new TreeMap<>();

  /**
   * Uses that key.
   *
   * @throws IllegalArgumentException where it is shorter than 32 bytes
   */
  Tickets(byte[] key, Clock clock) {
    if (key.length < LEAST_KEY) {
      throw new IllegalArgumentException(
          "the file has " + key.length + " bytes; a key has " + LEAST_KEY + " or more");
    }
    this.key = new SecretKeySpec(key, ALGORITHM);
    this.clock = clock;
  }

  /** Whether a ticket is short enough to be taken; that of a long path with escapes may not be. */
  static boolean takes(String ticket) {
    return ticket.length() <= LONGEST;
  }

  /**
   * A ticket for one request: letters, digits, {@code -}, {@code _} and a dot.
   *
   * @param need of files of the area
   * @param signer who offers a file by it; empty: it is for no offer
   */
  String make(
      String method,
      String path,
      Set<Right> rights,
      ContractNeed need,
      String signer,
      Caller caller) {
    byte[] id = new byte[16];
    random.nextBytes(id);
    Ticket ticket =
        new Ticket(
            method,
            path,
            rights,
            need,
            signer,
            caller.label(),
            caller.group(),
            clock.instant().plus(LIFETIME),
            HexFormat.of().formatHex(id));
    byte[] text = ticket.text().getBytes(StandardCharsets.UTF_8);
    return ENCODER.encodeToString(text) + "." + ENCODER.encodeToString(signature(text));
  }

  /**
   * Takes a ticket for the request that brings it.
   *
   * @param method of the request
   * @param target the path of its target, as it is written there
   * @param path where that leads, below the root of its area
   */
  Identification take(String presented, String method, String target, StoragePath path) {
    Optional<Ticket> signed = verified(presented);
    if (signed.isEmpty()) {
      return new Identification.Refused("the ticket is not one of this storage element");
    }
    Ticket ticket = signed.get();
    if (!ticket.covers(method) || !ticket.path().equals(target)) {
      return new Identification.Refused("the ticket is for another request");
    }
    Instant now = clock.instant();
    if (!now.isBefore(ticket.expiresAt())
        || ticket.expiresAt().isAfter(now.plus(LIFETIME).plus(CLOCK_DIFFERENCE))) {
      return new Identification.Refused("the ticket has expired");
    }
    if (!firstUse(method, ticket, now)) {
      return new Identification.Refused("the ticket was used already");
    }
    return new Identification.Identified(
        new TicketCaller(
            ticket.label(),
            ticket.group(),
            path,
            new HashSet<>(ticket.rights()),
            ticket.need(),
            ticket.signer()));
  }

  private boolean firstUse(String method, Ticket ticket, Instant now) {
    synchronized (used) {
      used.headMap(now, true).clear();
      return used.computeIfAbsent(ticket.expiresAt(), end -> new HashSet<>())
          .add(method + ' ' + ticket.id());
    }
  }

  /** What the ticket says, where the signature is ours; compared in constant time. */
  private Optional<Ticket> verified(String presented) {
    int dot = presented.indexOf('.');
    if (dot < 0 || !takes(presented)) {
      return Optional.empty();
    }
    try {
      byte[] text = Base64.getUrlDecoder().decode(presented.substring(0, dot));
      if (!ENCODER.encodeToString(text).equals(presented.substring(0, dot))) {
        // The same bytes in other letters: Base64 leaves some bits of its last letter open.
        return Optional.empty();
      }
      byte[] signature = Base64.getUrlDecoder().decode(presented.substring(dot + 1));
      return MessageDigest.isEqual(signature(text), signature)
          ? Ticket.read(new String(text, StandardCharsets.UTF_8))
          : Optional.empty();
    } catch (IllegalArgumentException noBase64) {
      return Optional.empty();
    }
  }

  private byte[] signature(byte[] text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java knows no HMAC-SHA-256", e);
    }
  }
}
