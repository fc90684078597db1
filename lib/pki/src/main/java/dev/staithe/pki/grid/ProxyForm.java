package dev.staithe.pki.grid;

/** How a proxy says that it is one. */
public enum ProxyForm {
  /** By the critical extension of RFC 3820, under a name of its own. */
  RFC3820,
  /**
   * By its name alone, {@code CN=proxy} or {@code CN=limited proxy}, as the Globus Toolkit 2 has
   * it: for programs that know nothing else. Software of today refuses it.
   */
  LEGACY
}
