package dev.staithe.slcs.ca;

import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.RevocationList;
import java.math.BigInteger;
import java.security.cert.CRLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * The list of revoked certificates: made by one node at a time when it is due or a certificate was
 * revoked, kept in the store, served by all. Thread-safe.
 */
final class RevocationLists {
  private static final Logger LOG = LoggerFactory.getLogger(RevocationLists.class);

  /** How long a node serves a list without looking for a newer one. */
  private static final Duration REREAD = Duration.ofSeconds(2);

  /** As much may the clocks of two nodes differ; a list begins as long before it is made. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final CertificateIssuer issuer;
  private final CertificateStore store;
  private final Duration interval;
  private final Duration validity;
  private final Clock clock;
  private final AtomicReference<@Nullable Read> read = new AtomicReference<>();

  private record Read(CertificateStore.Crl crl, Instant at) {}

  RevocationLists(
      CertificateIssuer issuer, CertificateStore store, CaSettings settings, Clock clock) {
    this.issuer = issuer;
    this.store = store;
    this.interval = settings.crlInterval();
    this.validity = settings.crlValidity();
    this.clock = clock;
  }

  /** The newest list; where the store does not answer, the newest that is known. */
  CertificateStore.Crl current() {
    Instant now = clock.instant();
    Read known = read.get();
    if (known != null && isNew(known, now)) {
      return known.crl();
    }
    Read looking = known == null ? null : new Read(known.crl(), now);
    if (known != null && !read.compareAndSet(known, looking)) {
      // One looks, and all others are served meanwhile.
      return known.crl();
    }
    try {
      CertificateStore.Crl crl = store.crl().orElseGet(this::renew);
      // Not over one that was made since it was read.
      read.compareAndSet(looking, new Read(crl, now));
      return crl;
    } catch (DataAccessException e) {
      if (known == null) {
        throw e;
      }
      LOG.warn("the list of revoked certificates is not read: {}", e.getClass().getSimpleName());
      // A store that is away says so after seconds only.
      read.compareAndSet(looking, new Read(known.crl(), clock.instant()));
      return known.crl();
    }
  }

  /** Not what was read at a time that is yet to come: the clock was ahead then. */
  private static boolean isNew(Read known, Instant now) {
    return !now.isBefore(known.at()) && now.isBefore(known.at().plus(REREAD));
  }

  /** Makes a list where one is due, and tells the newest. */
  CertificateStore.Crl renew() {
    CertificateStore.Crl crl =
        fresh()
            .orElseGet(
                () ->
                    store.alone(
                        // Another node may have made it while this one waited.
                        () -> fresh().orElseGet(this::make)));
    var found = new Read(crl, clock.instant());
    Read known = read.get();
    // Not over one that was made since it was looked for.
    while ((known == null || known.crl().number() <= crl.number())
        && !read.compareAndSet(known, found)) {
      known = read.get();
    }
    return crl;
  }

  private Optional<CertificateStore.Crl> fresh() {
    Instant now = clock.instant();
    return store
        .crl()
        .filter(crl -> now.isBefore(crl.made().plus(interval)))
        // Of a clock that was ahead: nobody believes it before it begins.
        .filter(crl -> !crl.made().isAfter(now.plus(SKEW)))
        // Before it is over: who reads it has a cache, and a clock.
        .filter(crl -> now.plus(SKEW).isBefore(crl.nextUpdate()))
        .filter(_ -> !store.unlisted());
  }

  private CertificateStore.Crl make() {
    Instant now = clock.instant();
    long number = store.nextNumber();
    // Those that ended since the last list stand in one more (RFC 5280 §3.3), however late it is.
    Instant due = now.minus(interval);
    Instant endingAfter =
        store.crl().map(CertificateStore.Crl::made).filter(due::isAfter).orElse(due);
    var entries = store.listed(number, endingAfter);
    var signed =
        issuer.revocationList(new RevocationList(BigInteger.valueOf(number), entries, validity));
    try {
      var crl =
          new CertificateStore.Crl(
              number, now, signed.getNextUpdate().toInstant(), signed.getEncoded());
      store.add(crl);
      LOG.info("made list {} of revoked certificates: {} entries", number, entries.size());
      return crl;
    } catch (CRLException e) {
      throw new IllegalStateException("a list without an encoding", e);
    }
  }
}
