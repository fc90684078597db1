package dev.staithe.pki.grid;

/** What a proxy may do of what the one who makes it may (RFC 3820 section 3.8.2). */
public enum ProxyPolicy {
  /** Everything. */
  INHERIT_ALL("1.3.6.1.5.5.7.21.1"),
  /** Everything but start processes, in the sense of Globus; storage takes it. */
  LIMITED("1.3.6.1.4.1.3536.1.1.1.9"),
  /** Nothing: it is a new identity, to which rights are given by other means. */
  INDEPENDENT("1.3.6.1.5.5.7.21.2");

  private final String language;

  ProxyPolicy(String language) {
    this.language = language;
  }

  /** The identifier of the policy language, in dots. */
  String language() {
    return language;
  }
}
