package dev.staithe.storage.authz;

/** Who asks, as far as it is proved. */
public sealed interface Caller
    permits Caller.Anonymous, TokenCaller, CertificateCaller, TicketCaller, GrantedCaller {
  /**
   * For logs: {@code anonymous}, issuer-qualified subject or name of a certificate, never a
   * credential.
   */
  String label();

  /** What fair queues count by: the issuer, which is a VO in WLCG's profile, or "anonymous". */
  String group();

  /** Nobody in particular. */
  record Anonymous() implements Caller {
    @Override
    public String label() {
      return "anonymous";
    }

    @Override
    public String group() {
      return "anonymous";
    }
  }
}
