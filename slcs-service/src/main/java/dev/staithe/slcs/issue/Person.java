package dev.staithe.slcs.issue;

import dev.staithe.slcs.session.CampusIdentity;
import java.util.Locale;

/**
 * Somebody at an identity provider, for ever: by the identifier of the first login, whatever the
 * provider tells of the same person later ({@link People}).
 *
 * @param provider its entityID
 * @param id in lower case, because all kinds are compared so (SAML V2.0 Subject Identifier
 *     Attributes Profile §3.3, eduPerson)
 */
record Person(String provider, String id) {
  /** What the authority takes for an owner. */
  private static final int LONGEST = 600;

  private static final int LONGEST_ID = 256;

  /** Who that would be at a first login. */
  static Person of(CampusIdentity who) {
    return new Person(who.provider(), who.person().toLowerCase(Locale.ROOT));
  }

  /** As one text, the owner of certificates. */
  String key() {
    return keys(provider) + id;
  }

  /** What keys of a provider's people begin with, and no others: a URI holds no space. */
  static String keys(String provider) {
    return provider + " ";
  }

  /** Whether everybody can be kept as of a provider, by whatever identifier. */
  static boolean canBeOf(String provider) {
    return !provider.isEmpty()
        && keys(provider).length() + LONGEST_ID <= LONGEST
        && provider.chars().allMatch(Person::isGraphic);
  }

  /** Whether it can be kept: {@code id@scope} in ASCII, and not absurdly long. */
  boolean isSound() {
    int at = id.indexOf('@');
    return !provider.isEmpty()
        && provider.chars().allMatch(Person::isGraphic)
        && at > 0
        && at == id.lastIndexOf('@')
        && id.length() <= LONGEST_ID
        && key().length() <= LONGEST
        && id.chars().allMatch(Person::isGraphic);
  }

  private static boolean isGraphic(int c) {
    return c > ' ' && c < 0x7f;
  }
}
