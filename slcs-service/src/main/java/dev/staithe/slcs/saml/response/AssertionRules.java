package dev.staithe.slcs.saml.response;

import dev.staithe.slcs.saml.metadata.SamlSettings;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.slcs.session.SessionRows;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.opensaml.saml.saml2.core.Assertion;
import org.opensaml.saml.saml2.core.Audience;
import org.opensaml.saml.saml2.core.AudienceRestriction;
import org.opensaml.saml.saml2.core.AuthnStatement;
import org.opensaml.saml.saml2.core.Conditions;
import org.opensaml.saml.saml2.core.NameID;
import org.opensaml.saml.saml2.core.SubjectConfirmation;
import org.opensaml.saml.saml2.core.SubjectConfirmationData;

/**
 * What an assertion must say to log somebody in here (SAML profiles section 4.1.4.2 and 4.1.4.3).
 * Stricter than the library below: what the profile asks for must be there, not only be right where
 * it is there. Thread-safe.
 */
final class AssertionRules {
  private static final String ENTITY = "urn:oasis:names:tc:SAML:2.0:nameid-format:entity";

  private final ServiceProvider self;
  private final Duration skew;
  private final @Nullable Duration freshness;
  private final List<String> contexts;
  private final Clock clock;

  AssertionRules(ServiceProvider self, SamlSettings settings, Clock clock) {
    this.self = self;
    this.skew = settings.clockSkew();
    this.freshness = settings.freshness();
    this.contexts = settings.contexts();
    this.clock = clock;
  }

  /** What is wrong; empty where nothing is. */
  Optional<Refusal> fault(Assertion assertion, String provider, String requestId) {
    var issuer = assertion.getIssuer();
    if (issuer == null
        || !provider.equals(issuer.getValue())
        || (issuer.getFormat() != null && !ENTITY.equals(issuer.getFormat()))) {
      return refused(Reason.ASSERTION, "it is issued by another than " + provider);
    }
    Optional<Refusal> conditions = conditions(assertion.getConditions());
    if (conditions.isPresent()) {
      return conditions;
    }
    var subject = assertion.getSubject();
    if (subject == null) {
      return refused(Reason.ASSERTION, "it has no subject");
    }
    Refusal last = new Refusal(Reason.ASSERTION, "it is confirmed for no bearer");
    boolean confirmed = false;
    for (SubjectConfirmation each : subject.getSubjectConfirmations()) {
      if (SubjectConfirmation.METHOD_BEARER.equals(each.getMethod())) {
        Refusal fault = fault(each.getSubjectConfirmationData(), requestId);
        if (fault == null) {
          confirmed = true;
        } else {
          last = fault;
        }
      }
    }
    return confirmed ? statements(assertion) : Optional.of(last);
  }

  private Optional<Refusal> conditions(@Nullable Conditions conditions) {
    if (conditions == null) {
      return refused(Reason.ASSERTION, "it has no conditions");
    }
    Instant now = clock.instant();
    Instant from = conditions.getNotBefore();
    Instant until = conditions.getNotOnOrAfter();
    if (from != null && now.isBefore(from.minus(skew))) {
      return refused(Reason.TIME, "it is good from " + from + " only");
    }
    if (until != null && !now.isBefore(until.plus(skew))) {
      return refused(Reason.TIME, "it was good until " + until);
    }
    List<AudienceRestriction> restrictions = conditions.getAudienceRestrictions();
    if (restrictions.isEmpty()) {
      return refused(Reason.NOT_FOR_US, "it is restricted to no audience");
    }
    for (AudienceRestriction restriction : restrictions) {
      List<String> audiences = restriction.getAudiences().stream().map(Audience::getURI).toList();
      if (!audiences.contains(self.entityId())) {
        return refused(Reason.NOT_FOR_US, "it is for " + audiences);
      }
    }
    return Optional.empty();
  }

  private @Nullable Refusal fault(@Nullable SubjectConfirmationData data, String requestId) {
    if (data == null) {
      return new Refusal(Reason.ASSERTION, "the bearer is confirmed by nothing");
    }
    if (!self.consumer().equals(data.getRecipient())) {
      return new Refusal(Reason.NOT_FOR_US, "the recipient is " + data.getRecipient());
    }
    if (!requestId.equals(data.getInResponseTo())) {
      return new Refusal(
          Reason.UNKNOWN_REQUEST, "it answers the request " + data.getInResponseTo());
    }
    Instant until = data.getNotOnOrAfter();
    if (until == null) {
      return new Refusal(Reason.ASSERTION, "the bearer is confirmed for ever");
    }
    if (!clock.instant().isBefore(until.plus(skew))) {
      return new Refusal(Reason.TIME, "the bearer was confirmed until " + until);
    }
    return data.getNotBefore() == null
        ? null
        : new Refusal(Reason.ASSERTION, "the bearer is confirmed from some time on");
  }

  private Optional<Refusal> statements(Assertion assertion) {
    if (assertion.getAuthnStatements().isEmpty()) {
      return refused(Reason.ASSERTION, "it does not say that anybody logged in");
    }
    for (AuthnStatement statement : assertion.getAuthnStatements()) {
      Instant when = statement.getAuthnInstant();
      if (when == null || when.isAfter(clock.instant().plus(skew))) {
        return refused(Reason.TIME, "somebody logged in at " + when);
      }
      // What was asked for is not always done.
      if (freshness != null && clock.instant().isAfter(when.plus(freshness).plus(skew))) {
        return refused(Reason.TOO_OLD, "somebody logged in at " + when);
      }
      if (!contexts.isEmpty() && !contexts.contains(context(statement))) {
        return refused(Reason.TOO_WEAK, "somebody logged in by " + context(statement));
      }
      Instant until = statement.getSessionNotOnOrAfter();
      if (until != null && !clock.instant().isBefore(until.plus(skew))) {
        return refused(Reason.TIME, "the session at the provider ended at " + until);
      }
    }
    return Optional.empty();
  }

  /** How somebody logged in; empty where it is not said. */
  static String context(AuthnStatement statement) {
    var context = statement.getAuthnContext();
    var reference = context == null ? null : context.getAuthnContextClassRef();
    String uri = reference == null ? null : reference.getURI();
    return uri == null ? "" : uri;
  }

  /**
   * For how long the provider's session goes on yet, the one that ends first where several are
   * told; a year where that is not said.
   */
  Duration sessionLeft(Assertion assertion) {
    return assertion.getAuthnStatements().stream()
        .map(AuthnStatement::getSessionNotOnOrAfter)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .map(until -> Duration.between(clock.instant(), until.plus(skew)))
        .orElse(Duration.ofDays(365));
  }

  /** When nobody could use the assertion any more. */
  Instant usableUntil(Assertion assertion) {
    Instant last = clock.instant();
    var subject = assertion.getSubject();
    if (subject != null) {
      for (SubjectConfirmation each : subject.getSubjectConfirmations()) {
        var data = each.getSubjectConfirmationData();
        Instant until = data == null ? null : data.getNotOnOrAfter();
        if (until != null && until.isAfter(last)) {
          last = until;
        }
      }
    }
    return last.plus(skew);
  }

  /** How the provider names the subject when it ends the session. */
  static SessionRows.Link link(Assertion assertion) {
    NameID name = assertion.getSubject() == null ? null : assertion.getSubject().getNameID();
    String index =
        assertion.getAuthnStatements().stream()
            .map(AuthnStatement::getSessionIndex)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse("");
    return new SessionRows.Link(
        name == null || name.getValue() == null ? "" : name.getValue(),
        name == null || name.getFormat() == null ? "" : name.getFormat(),
        index);
  }

  private static Optional<Refusal> refused(Reason reason, String detail) {
    return Optional.of(new Refusal(reason, detail));
  }
}
