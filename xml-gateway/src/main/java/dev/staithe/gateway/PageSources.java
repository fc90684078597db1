package dev.staithe.gateway;

import dev.staithe.gateway.pages.ExpiringItem;
import dev.staithe.gateway.pages.PageView;
import dev.staithe.gateway.trust.SignerTrust;
import dev.staithe.pki.Credential;
import dev.staithe.service.certificates.TlsEnd;
import dev.staithe.tls.TlsStatus;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the operators' page is told of the parts of this package. */
record PageSources(
    GatewayProperties properties,
    Endpoints endpoints,
    MessageParts parts,
    EvidenceKeeping keeping,
    TlsEnd tlsEnd) {
  private static final Duration WEEK = Duration.ofDays(7);

  /** Lists are fetched every few hours, for days. */
  private static final Duration LIST_WARN = Duration.ofHours(12);

  /** A grid has a hundred authorities: those whose lists end first are what matters. */
  private static final int LISTS = 10;

  PageView shown() {
    List<PageView.Line> lines =
        IntStream.range(0, endpoints.all().size())
            .mapToObj(
                i ->
                    new PageView.Line(
                        endpoints.all().get(i),
                        endpoints.policies().all().get(i),
                        properties.endpoints().get(i).engine().name().toLowerCase(Locale.ROOT),
                        properties.endpoints().get(i).evidence()))
            .toList();
    return new PageView(
        String.valueOf(properties.url()),
        lines,
        parts.contexts(),
        properties.contexts().most(),
        parts.replays(),
        properties.measuring() || properties.contexts().redis() != null
            ? null
            : properties.message().replayMost(),
        keeping.evidence(),
        this::expiring);
  }

  private List<ExpiringItem> expiring() {
    List<ExpiringItem> all = new ArrayList<>();
    if (tlsEnd.tls() != null) {
      TlsStatus status = tlsEnd.tls().status();
      all.add(
          new ExpiringItem(
              "Certificate for TLS",
              String.valueOf(properties.url()),
              status.notAfter(),
              WEEK,
              status.lastError() != null));
    }
    MessageCredential own = parts.own();
    if (own != null) {
      Credential credential = own.get();
      all.add(
          new ExpiringItem(
              "Certificate for messages",
              credential.certificate().getSubjectX500Principal().getName(),
              credential.certificate().getNotAfter().toInstant(),
              WEEK,
              own.files().lastError() != null));
    }
    SignerTrust signers = parts.signers();
    if (signers != null) {
      TlsStatus status = signers.status();
      all.add(
          new ExpiringItem(
              "Authorities of signers",
              "the first that ends",
              status.notAfter(),
              WEEK,
              status.lastError() != null || !signers.anchors().damagedLists().isEmpty()));
      signers.anchors().crls().stream()
          .sorted(
              Comparator.comparing(
                  X509CRL::getNextUpdate, Comparator.nullsFirst(Comparator.<Date>naturalOrder())))
          .limit(LISTS)
          .map(PageSources::list)
          .forEach(all::add);
    }
    return all;
  }

  private static ExpiringItem list(X509CRL list) {
    return new ExpiringItem(
        "Revocation list",
        list.getIssuerX500Principal().getName(),
        instant(list.getNextUpdate()),
        LIST_WARN,
        false);
  }

  private static @Nullable Instant instant(@Nullable Date date) {
    return date == null ? null : date.toInstant();
  }
}
