package dev.staithe.gateway.publish;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.EndpointPolicy;
import java.nio.charset.StandardCharsets;

/**
 * A policy with the document that says it. Immutable.
 *
 * @param name of the built-in policy, or of the file without its folders; for people and metrics
 * @param document as it is published; not to be changed
 * @param policy what it demands
 */
public record Published(String name, byte[] document, EndpointPolicy policy) {
  /** Of {@link #document()} (WS-Policy 1.5 framework, appendix A). */
  public static final String CONTENT_TYPE = "application/wspolicy+xml";

  /**
   * The same in the namespace of September 2004, in which older software, Rampart among it, looks
   * for policies within policies.
   */
  public byte[] documentOf2004() {
    // Byte by byte, in whatever encoding that has ASCII in it.
    return new String(document, StandardCharsets.ISO_8859_1)
        .replace(Namespaces.POLICY_15, Namespaces.POLICY_2004)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public String toString() {
    return name + " " + policy.version();
  }
}
