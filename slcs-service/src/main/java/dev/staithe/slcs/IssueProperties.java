package dev.staithe.slcs;

import dev.staithe.service.Settings;
import dev.staithe.slcs.issue.AccessRule;
import dev.staithe.slcs.issue.IssueSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who gets certificates, and what they say.
 *
 * @param name how a certificate's name is made of attributes; must begin with one of the
 *     authority's namespaces
 * @param lifetime where none is asked for
 * @param longest that can be asked for, at most 1,000,000 s (IGTF SLCS profile)
 * @param access rules in their order, of which the first that matches counts; none: everybody
 * @param operators who may see and change which identifiers are whose; none: nobody
 * @param mail when the person's mail address stands in the certificate
 * @param samlAttributes what stands in the certificate's extension for SAML attributes
 * @param perPerson certificates of one person
 * @param tokenLife of the tokens between the two steps of SWITCH's protocol
 */
public record IssueProperties(
    @DefaultValue("/DC=org/DC=staithe/O={schacHomeOrganization|scope}/CN={displayName} {eppn}")
        String name,
    @DefaultValue("12h") Duration lifetime,
    @DefaultValue("1000000s") Duration longest,
    @DefaultValue List<Access> access,
    @DefaultValue List<Operator> operators,
    @DefaultValue("scoped") IssueSettings.Mail mail,
    @DefaultValue({"eduPersonPrincipalName", "eduPersonScopedAffiliation", "eduPersonAssurance"})
        List<String> samlAttributes,
    @DefaultValue PerPerson perPerson,
    @DefaultValue("60s") Duration tokenLife) {
  private static final Duration SHORTEST = Duration.ofMinutes(5);
  private static final Duration LONGEST = Duration.ofSeconds(1_000_000);

  /**
   * One rule.
   *
   * @param allow whether whom it matches gets certificates
   * @param provider the name of an identity provider in {@code staithe.saml.providers}
   * @param attribute by its friendly name, as {@code eduPersonAssurance}
   * @param values of which one is needed; none: any value will do
   * @param contexts authentication contexts of which one is needed; none: any will do
   * @param longest lifetime for whom it matches
   */
  public record Access(
      @DefaultValue("true") boolean allow,
      @Nullable String provider,
      @Nullable String attribute,
      @DefaultValue List<String> values,
      @DefaultValue List<String> contexts,
      @Nullable Duration longest) {
    /** Checks the values. */
    public Access {
      Settings.require(
          attribute != null || values.isEmpty(),
          "values",
          values,
          "absent where the rule names no attribute");
      if (longest != null) {
        Settings.requireWithin(longest, SHORTEST, LONGEST, "longest");
      }
    }
  }

  /**
   * Operators.
   *
   * @param provider the name of an identity provider in {@code staithe.saml.providers}
   * @param attribute by its friendly name, as {@code eduPersonPrincipalName}
   * @param values of which one is needed
   */
  public record Operator(
      @Nullable String provider, @Nullable String attribute, @DefaultValue List<String> values) {
    /** Checks the values. */
    public Operator {
      Settings.require(
          attribute != null && !values.isEmpty(),
          "values",
          values,
          "given, with the attribute that they are of");
    }
  }

  /**
   * How many.
   *
   * @param certificates so many
   * @param within of so long
   */
  public record PerPerson(
      @DefaultValue("100") int certificates, @DefaultValue("1h") Duration within) {
    /** Checks the values. */
    public PerPerson {
      Settings.requireWithin(certificates, 1, 1_000_000, "certificates");
      Settings.requireWithin(within, Duration.ofSeconds(1), Duration.ofDays(30), "within");
    }
  }

  /** Checks the ranges. */
  public IssueProperties {
    try {
      IssueSettings.checkName(name);
    } catch (IllegalArgumentException e) {
      throw new Settings.InvalidSetting(
          "name", name, "a rule for names such as /DC=org/O={scope}/CN={eppn}: " + e.getMessage());
    }
    Settings.requireWithin(longest, SHORTEST, LONGEST, "longest");
    Settings.requireWithin(lifetime, SHORTEST, longest, "lifetime");
    Settings.requireWithin(
        tokenLife, Duration.ofSeconds(30), Duration.ofSeconds(300), "token-life");
  }

  /**
   * As the package takes it.
   *
   * @param url of this service
   */
  IssueSettings settings(URI url) {
    return new IssueSettings(
        url,
        name,
        lifetime,
        longest,
        access.stream()
            .map(
                each ->
                    new AccessRule(
                        each.allow(),
                        each.provider(),
                        each.attribute(),
                        each.values(),
                        each.contexts(),
                        each.longest()))
            .toList(),
        operators.stream()
            .map(
                each ->
                    new AccessRule(
                        true, each.provider(), each.attribute(), each.values(), List.of(), null))
            .toList(),
        mail,
        samlAttributes,
        perPerson.certificates(),
        perPerson.within(),
        tokenLife);
  }
}
