package dev.staithe.storage.dav;

/**
 * The name of a property (RFC 4918 section 4.1).
 *
 * @param namespace its XML namespace, empty for none
 * @param local its local name
 */
record PropertyName(String namespace, String local) {
  static final String DAV = "DAV:";

  static PropertyName dav(String local) {
    return new PropertyName(DAV, local);
  }
}
