package dev.staithe.slcs.session;

import java.util.Arrays;
import java.util.Optional;

/**
 * One of the ways in which a provider names a person.
 *
 * @param value in lower case, as all kinds are compared
 */
public record Identifier(Kind kind, String value) {
  /** The kinds, the one first that a person is kept under. */
  public enum Kind {
    /** The same for all services. */
    SUBJECT_ID("subject-id"),
    /** Its forerunner. */
    UNIQUE_ID("eduPersonUniqueId"),
    /** The only one that may be given to somebody else after years. */
    PRINCIPAL_NAME("eduPersonPrincipalName"),
    /** Another for each service. */
    PAIRWISE_ID("pairwise-id");

    private final String attribute;

    Kind(String attribute) {
      this.attribute = attribute;
    }

    /** Its friendly name. */
    public String attribute() {
      return attribute;
    }

    /** By its friendly name. */
    public static Optional<Kind> of(String attribute) {
      return Arrays.stream(values()).filter(each -> each.attribute.equals(attribute)).findFirst();
    }
  }

  /** Whether nobody else ever gets it. */
  public boolean lasts() {
    return kind != Kind.PRINCIPAL_NAME;
  }
}
