package dev.staithe.gateway.publish;

import dev.staithe.wss.policy.EndpointPolicy;

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

  @Override
  public String toString() {
    return name + " " + policy.version();
  }
}
