package dev.staithe.storage.exchange;

/**
 * The name of a property (RFC 4918 section 4.1).
 *
 * @param namespace its XML namespace, empty for none
 * @param local its local name
 */
public record PropertyName(String namespace, String local) {
  /** The namespace of the standard. */
  public static final String DAV = "DAV:";

  /** A name of the standard. */
  public static PropertyName dav(String local) {
    return new PropertyName(DAV, local);
  }
}
