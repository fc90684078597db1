package dev.staithe.slcs.issue;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.ca.CertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.service.log.AuditLog;
import dev.staithe.slcs.ca.CertificateAuthority;
import dev.staithe.slcs.issue.CertificateOutcome.Issued;
import dev.staithe.slcs.issue.CertificateOutcome.Kind;
import dev.staithe.slcs.issue.CertificateOutcome.Refused;
import dev.staithe.slcs.session.CampusIdentity;
import java.io.UncheckedIOException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Makes certificates for people: whether they get one and for how long, what they are called, and
 * what it says about them. Every answer leaves a line in the audit log. Thread-safe.
 */
final class CertificateIssuance {
  private static final Logger log = LoggerFactory.getLogger(CertificateIssuance.class);
  private static final Duration SOON = Duration.ofSeconds(5);

  private final AccessRules access;
  private final NameRule names;
  private final NameRegistry registry;
  private final People people;
  private final SamlStatement statement;
  private final IssueSettings.Mail mail;
  private final KeyRules keys;
  private final CertificateAuthority authority;
  private final AuditLog audit;
  private final Clock clock;

  /**
   * @param database with the tables of part {@code issue}
   */
  CertificateIssuance(
      IssueSettings settings,
      DataSource database,
      People people,
      KeyRules keys,
      CertificateAuthority authority,
      AuditLog audit,
      Clock clock) {
    this.access = new AccessRules(settings.access(), settings.lifetime(), settings.longest());
    this.names = NameRule.of(settings.name());
    this.registry =
        new NameRegistry(database, settings.perPerson(), settings.perPersonWithin(), clock);
    this.people = people;
    this.statement = new SamlStatement(settings.url().toString(), settings.samlAttributes());
    this.mail = settings.mail();
    this.keys = keys;
    this.authority = authority;
    this.audit = audit;
    this.clock = clock;
  }

  /** A request that is not served; carries the refusal only. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Refused refused;

    Refusal(String line, Kind kind, Duration retryAfter) {
      super(line, null, false, false);
      this.refused = new Refused(line, kind, retryAfter);
    }

    Refusal(String line, Kind kind) {
      this(line, kind, Duration.ZERO);
    }
  }

  /**
   * Makes a certificate.
   *
   * @param request PKCS#10 as PEM, Base64 or DER; its name and extensions are not granted
   * @param wanted lifetime, null for the usual one
   * @param door by which it was asked for, for the log: {@code rest}, {@code soap}, {@code slcs},
   *     {@code page}
   */
  public CertificateOutcome issue(
      CampusIdentity who, byte[] request, @Nullable Duration wanted, String door) {
    CertificateOutcome outcome;
    try {
      outcome = make(who, request, wanted);
    } catch (Refusal e) {
      outcome = e.refused;
    } catch (DataAccessException | UncheckedIOException e) {
      log.error("a certificate could not be issued", e);
      outcome =
          new Refused(
              "certificates cannot be issued at present: try again soon", Kind.UNAVAILABLE, SOON);
    }
    audit(who, door, outcome);
    return outcome;
  }

  /**
   * The name that somebody's certificates have, from now on.
   *
   * @return none where {@link #issue} would refuse this person, with its line
   */
  NameOutcome nameOf(CampusIdentity who, String door) {
    try {
      if (access.judge(who, null) instanceof AccessRules.Access.Denied(String line)) {
        throw new Refusal(line, Kind.NOT_ALLOWED);
      }
      return new NameOutcome.Named(hold(who));
    } catch (Refusal e) {
      audit(who, door, e.refused);
      return new NameOutcome.Nameless(e.refused.line());
    }
  }

  private Issued make(CampusIdentity who, byte[] request, @Nullable Duration wanted)
      throws Refusal {
    Duration lifetime =
        switch (access.judge(who, wanted)) {
          case AccessRules.Access.Allowed(Duration allowed) -> allowed;
          case AccessRules.Access.Denied(String line) -> throw new Refusal(line, Kind.NOT_ALLOWED);
          case AccessRules.Access.OutOfRange(String line) ->
              throw new Refusal(line, Kind.BAD_REQUEST);
        };
    PublicKey key =
        switch (CertificateRequest.read(request, keys)) {
          case CertificateRequest.Accepted accepted -> accepted.key();
          case CertificateRequest.Refused(String line) -> throw new Refusal(line, Kind.BAD_REQUEST);
        };
    People.Lookup found = found(who);
    Person person = person(found);
    DistinguishedName name =
        switch (registry.take(person, proposed(who, person), who.principalName())) {
          case NameRegistry.Quota.Allowed(DistinguishedName kept) -> kept;
          case NameRegistry.Quota.Taken() -> throw taken();
          case NameRegistry.Quota.Exceeded(Duration after) ->
              throw new Refusal(
                  "you have had too many certificates lately: use the last one, or try again later",
                  Kind.TOO_MANY,
                  after);
        };
    keep(found, who);
    PersonCertificateRequest wish = wish(who, name, key, lifetime);
    return switch (issuedBy(wish, person)) {
      case dev.staithe.slcs.ca.Issuance.Issued made -> issued(made, name);
      case dev.staithe.slcs.ca.Issuance.Refused no ->
          throw switch (no.reason()) {
            case KEY_REUSED, WEAK_KEY -> new Refusal(no.line(), Kind.BAD_REQUEST);
            case OUTSIDE_NAMESPACE -> new Refusal(no.line(), Kind.NOT_ALLOWED);
            case NOT_WORKING -> {
              registry.giveBack(person);
              yield new Refusal(no.line(), Kind.UNAVAILABLE, SOON);
            }
          };
    };
  }

  private dev.staithe.slcs.ca.Issuance issuedBy(PersonCertificateRequest wish, Person person) {
    try {
      return authority.issue(wish, person.key());
    } catch (DataAccessException | UncheckedIOException e) {
      registry.giveBack(person);
      throw e;
    }
  }

  // That a constructor's array may be null is not seen across modules.
  @SuppressWarnings("NullAway")
  private PersonCertificateRequest wish(
      CampusIdentity who, DistinguishedName name, PublicKey key, Duration lifetime) {
    byte[] saml = statement.about(who, name, clock.instant());
    return new PersonCertificateRequest(name, key, lifetime, mailOf(who), saml, Map.of());
  }

  private Issued issued(dev.staithe.slcs.ca.Issuance.Issued made, DistinguishedName name) {
    var chain = new ArrayList<X509Certificate>();
    chain.add(made.certificate());
    chain.addAll(made.chain());
    return new Issued(
        chain,
        authority.certificate(),
        name.slashes(),
        made.certificate().getNotAfter().toInstant(),
        made.serial());
  }

  private DistinguishedName hold(CampusIdentity who) throws Refusal {
    People.Lookup found = found(who);
    Person person = person(found);
    return switch (registry.hold(person, proposed(who, person), who.principalName())) {
      case NameRegistry.Registration.Registered(DistinguishedName name) -> {
        keep(found, who);
        yield name;
      }
      case NameRegistry.Registration.Taken() -> throw taken();
    };
  }

  private People.Lookup found(CampusIdentity who) throws Refusal {
    if (!Person.of(who).isSound()) {
      throw new Refusal(
          "what the identity provider tells does not name you in a way that lasts",
          Kind.NOT_ALLOWED);
    }
    return people.of(who);
  }

  private static Person person(People.Lookup found) throws Refusal {
    return switch (found) {
      case People.Lookup.Known(Person person) -> person;
      case People.Lookup.New(Person person) -> person;
      case People.Lookup.Unresolved(String line) -> throw new Refusal(line, Kind.NAME_TAKEN);
    };
  }

  private void keep(People.Lookup found, CampusIdentity who) {
    if (found instanceof People.Lookup.New(Person person)) {
      people.keep(person, who.identifiers());
    }
  }

  private DistinguishedName proposed(CampusIdentity who, Person person) throws Refusal {
    DistinguishedName name =
        switch (names.name(who)) {
          case NameOutcome.Named(DistinguishedName made) -> made;
          case NameOutcome.Nameless(String line) -> throw new Refusal(line, Kind.NOT_ALLOWED);
        };
    // Nor kept: it is kept for ever, and the rule may be mended.
    if (!authority.gives(name) && !registry.knows(person)) {
      throw new Refusal("this authority gives no such name", Kind.NOT_ALLOWED);
    }
    return name;
  }

  private static Refusal taken() {
    return new Refusal(
        "the name for your certificate was given to another person before and is not given again:"
            + " ask the operators of this service",
        Kind.NAME_TAKEN);
  }

  /** Addresses that may stand in the certificate: others read them as proven. */
  private List<String> mailOf(CampusIdentity who) {
    String scope = who.scope().toLowerCase(Locale.ROOT);
    return who.all("mail").stream()
        .filter(PersonCertificateRequest::isMail)
        .filter(
            address -> {
              String domain = address.substring(address.indexOf('@') + 1).toLowerCase(Locale.ROOT);
              return switch (mail) {
                case NEVER -> false;
                case SCOPED -> domain.equals(scope) || domain.endsWith("." + scope);
                case ALWAYS -> true;
              };
            })
        .distinct()
        .limit(4)
        .toList();
  }

  /** Beside the authority's own line, which knows neither the way in nor what was refused here. */
  private void audit(CampusIdentity who, String door, CertificateOutcome outcome) {
    AuditLog.Line line =
        audit.line(
            "certificate.request",
            switch (outcome) {
              case Issued issued -> "ok";
              case Refused refused ->
                  refused.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
            });
    line.with("door", door)
        .with("person", Person.of(who).id())
        .with("principal", who.principalName())
        .with("provider", who.provider());
    switch (outcome) {
      case Issued issued -> line.with("serial", issued.serial()).with("subject", issued.subject());
      case Refused refused -> line.with("reason", refused.line());
    }
    line.write();
  }
}
