package dev.staithe.slcs.ca;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.AuthorityKey;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.CertificateStatus;
import dev.staithe.pki.ca.OcspAnswer;
import dev.staithe.pki.ca.OcspResponder;
import dev.staithe.pki.ca.RevocationReason;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Answers about single certificates (RFC 6960), signed by a key of this process that the authority
 * lets answer: its own stays unused by whoever asks, which matters where it is in a token. Thread-
 * safe.
 */
final class StatusAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(StatusAnswers.class);
  private static final Duration KEY_VALIDITY = Duration.ofDays(14);

  /** After a renewal that failed. */
  private static final Duration AGAIN = Duration.ofMinutes(1);

  private final CertificateIssuer issuer;
  private final CertificateStore store;
  private final Duration validity;
  private final Clock clock;
  private @Nullable OcspResponder responder;
  private Instant beginning = Instant.MAX;
  private Instant renewal = Instant.MIN;
  private Instant end = Instant.MIN;

  StatusAnswers(CertificateIssuer issuer, CertificateStore store, Duration validity, Clock clock) {
    this.issuer = issuer;
    this.store = store;
    this.validity = validity;
    this.clock = clock;
  }

  OcspAnswer answer(byte[] request) {
    try {
      return responder().answer(request);
    } catch (DataAccessException | IllegalStateException e) {
      LOG.warn("no answer about a certificate: {}", e.getMessage());
      return OcspAnswer.tryLater();
    }
  }

  private synchronized OcspResponder responder() {
    Instant now = clock.instant();
    OcspResponder current = responder;
    // A clock that was ahead made a key that nobody believes yet.
    if (current == null || now.isBefore(beginning) || now.isAfter(renewal)) {
      try {
        current = renewed(now);
      } catch (IllegalStateException e) {
        // A token that does not sign may do so soon, and the key that is there is good for days.
        if (current == null || now.isBefore(beginning) || now.isAfter(end)) {
          throw e;
        }
        LOG.warn("the key of answers about certificates is not renewed: {}", e.getMessage());
        renewal = now.plus(AGAIN);
      }
    }
    return current;
  }

  private OcspResponder renewed(Instant now) {
    var key = AuthorityKey.of(issuer.issueOcspResponder(KeyKind.EC_P256, KEY_VALIDITY));
    var made = new OcspResponder(issuer.certificate(), key, this::status, validity, clock);
    responder = made;
    beginning = key.certificate().getNotBefore().toInstant();
    end = key.certificate().getNotAfter().toInstant();
    renewal = now.plus(Duration.between(now, end).dividedBy(2));
    return made;
  }

  private CertificateStatus status(BigInteger serial) {
    return store
        .find(serial.toString(16))
        .<CertificateStatus>map(
            certificate -> {
              Instant revoked = certificate.revoked();
              RevocationReason reason = certificate.reason();
              return revoked == null || reason == null
                  ? new CertificateStatus.Good()
                  : new CertificateStatus.Revoked(revoked, reason);
            })
        .orElseGet(CertificateStatus.Unknown::new);
  }
}
