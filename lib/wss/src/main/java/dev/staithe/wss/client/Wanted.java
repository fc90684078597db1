package dev.staithe.wss.client;

import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.SupportingToken;

/**
 * What a caller must have to meet a policy, that of its bootstrap included.
 *
 * @param certificate one's own, with its key, for messages
 * @param tlsCertificate one's own, with its key, for TLS
 * @param service the certificate of the service
 * @param user a name
 * @param password its password
 * @param token one of authn-service
 * @param tls an https address
 */
public record Wanted(
    boolean certificate,
    boolean tlsCertificate,
    boolean service,
    boolean user,
    boolean password,
    boolean token,
    boolean tls) {
  private static final Wanted NOTHING = new Wanted(false, false, false, false, false, false, false);

  /** Of a policy. */
  public static Wanted of(EndpointPolicy policy) {
    Wanted all =
        switch (policy.binding()) {
          case Binding.None() -> NOTHING;
          case Binding.Transport(boolean shown) ->
              new Wanted(false, shown, false, false, false, false, true);
          case Binding.Asymmetric _ -> new Wanted(true, false, true, false, false, false, false);
          case Binding.Conversation each -> of(each.bootstrap());
          case Binding.EncryptedKey _ -> new Wanted(false, false, true, false, false, false, false);
          case Binding.UsernameKeys _ -> new Wanted(false, false, false, true, true, false, false);
        };
    for (SupportingToken each : policy.supporting()) {
      all =
          all.and(
              switch (each.kind()) {
                case USERNAME_TEXT, USERNAME_DIGEST ->
                    new Wanted(false, false, false, true, true, false, false);
                case USERNAME_ONLY -> new Wanted(false, false, false, true, false, false, false);
                case X509 -> new Wanted(true, false, false, false, false, false, false);
                case BEARER -> new Wanted(false, false, false, false, false, true, true);
              });
    }
    return all;
  }

  private Wanted and(Wanted other) {
    return new Wanted(
        certificate || other.certificate,
        tlsCertificate || other.tlsCertificate,
        service || other.service,
        user || other.user,
        password || other.password,
        token || other.token,
        tls || other.tls);
  }
}
