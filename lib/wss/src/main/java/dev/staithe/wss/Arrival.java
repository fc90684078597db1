package dev.staithe.wss;

import org.jspecify.annotations.Nullable;

/**
 * A request as it came.
 *
 * @param envelope one SOAP envelope; neither changed nor kept
 * @param expectation what is demanded of it
 * @param transport what TLS and HTTP said of the sender
 */
public record Arrival(byte[] envelope, Expectation expectation, TransportFacts transport) {
  /**
   * What is known of the connection.
   *
   * @param tls whether it is protected
   * @param certificate who showed a certificate there that is believed; null for nobody
   * @param bearer whom a token in {@code Authorization} stood for, already judged; null for nobody
   */
  public record TransportFacts(
      boolean tls, Caller.@Nullable Certificate certificate, Caller.@Nullable Token bearer) {
    /** A connection that says nothing. */
    public static final TransportFacts PLAIN = new TransportFacts(false, null, null);
  }
}
