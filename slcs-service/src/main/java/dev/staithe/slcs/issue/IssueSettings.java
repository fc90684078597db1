package dev.staithe.slcs.issue;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * What a site decides about certificates.
 *
 * @param url of this service, without a slash at its end
 * @param name the rule for names, see {@link #checkName}
 * @param lifetime where none is asked for
 * @param longest lifetime, at most 1,000,000 s
 * @param access in their order; empty: everybody
 * @param operators whom one of these matches may see and change who people are; none: nobody
 * @param mail when an address goes into a certificate
 * @param samlAttributes what of the person goes into a certificate as SAML; empty: nothing
 * @param perPerson certificates of one person within {@code perPersonWithin}
 * @param perPersonWithin how long they count
 * @param tokenLife of the tokens of SWITCH's protocol
 */
public record IssueSettings(
    URI url,
    String name,
    Duration lifetime,
    Duration longest,
    List<AccessRule> access,
    List<AccessRule> operators,
    Mail mail,
    List<String> samlAttributes,
    int perPerson,
    Duration perPersonWithin,
    Duration tokenLife) {
  /** Copies the lists. */
  public IssueSettings {
    access = List.copyOf(access);
    operators = List.copyOf(operators);
    samlAttributes = List.copyOf(samlAttributes);
  }

  /** When a mail address goes into the certificate. */
  public enum Mail {
    /** None at all. */
    NEVER,
    /** Where its domain is that of the eduPersonPrincipalName, or one below it. */
    SCOPED,
    /** Whatever a provider tells. */
    ALWAYS
  }

  /**
   * Looks at a rule for names.
   *
   * @throws IllegalArgumentException with one line where it is none
   */
  public static void checkName(String rule) {
    NameRule.of(rule);
  }
}
