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
public record Prerequisites(
    boolean certificate,
    boolean tlsCertificate,
    boolean service,
    boolean user,
    boolean password,
    boolean token,
    boolean tls) {
  private static final Prerequisites NOTHING =
      new Prerequisites(false, false, false, false, false, false, false);

  /** Of a policy. */
  public static Prerequisites of(EndpointPolicy policy) {
    Prerequisites all =
        switch (policy.binding()) {
          case Binding.None() -> NOTHING;
          case Binding.Transport(boolean shown) ->
              new Prerequisites(false, shown, false, false, false, false, true);
          case Binding.Asymmetric _ ->
              new Prerequisites(true, false, true, false, false, false, false);
          case Binding.Conversation each -> of(each.bootstrap());
          case Binding.EncryptedKey _ ->
              new Prerequisites(false, false, true, false, false, false, false);
          case Binding.UsernameKeys _ ->
              new Prerequisites(false, false, false, true, true, false, false);
        };
    for (SupportingToken each : policy.supporting()) {
      all =
          all.and(
              switch (each.kind()) {
                case USERNAME_TEXT, USERNAME_DIGEST ->
                    new Prerequisites(false, false, false, true, true, false, false);
                case USERNAME_ONLY ->
                    new Prerequisites(false, false, false, true, false, false, false);
                case X509 -> new Prerequisites(true, false, false, false, false, false, false);
                case BEARER -> new Prerequisites(false, false, false, false, false, true, true);
              });
    }
    return all;
  }

  private Prerequisites and(Prerequisites other) {
    return new Prerequisites(
        certificate || other.certificate,
        tlsCertificate || other.tlsCertificate,
        service || other.service,
        user || other.user,
        password || other.password,
        token || other.token,
        tls || other.tls);
  }
}
