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

  private final CertificateIssuer issuer;
  private final CertificateStore store;
  private final Duration validity;
  private final Clock clock;
  private @Nullable OcspResponder responder;
  private Instant beginning = Instant.MAX;
  private Instant renewal = Instant.MIN;

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
      var key = AuthorityKey.of(issuer.issueOcspResponder(KeyKind.EC_P256, KEY_VALIDITY));
      current = new OcspResponder(issuer.certificate(), key, this::status, validity, clock);
      responder = current;
      beginning = key.certificate().getNotBefore().toInstant();
      Instant end = key.certificate().getNotAfter().toInstant();
      renewal = now.plus(Duration.between(now, end).dividedBy(2));
    }
    return current;
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
