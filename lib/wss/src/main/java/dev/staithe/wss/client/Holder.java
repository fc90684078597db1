package dev.staithe.wss.client;

import dev.staithe.pki.Credential;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, and whom: what a policy may demand to be shown. It holds secrets: never written
 * anywhere.
 *
 * @param credential one's own certificate and key, for signatures and to open answers
 * @param service the certificate of the service for messages: what is sent is encrypted for it, and
 *     only its signature is believed
 * @param user a name
 * @param password of that user, in UTF-8
 * @param token of authn-service
 */
public record Holder(
    @Nullable Credential credential,
    @Nullable X509Certificate service,
    @Nullable String user,
    byte @Nullable [] password,
    @Nullable String token) {
  /** Nobody, who can show nothing. */
  public static final Holder NOBODY = new Holder(null, null, null, null, null);

  /** The holder of a key, who knows the service's certificate. */
  public static Holder of(Credential credential, X509Certificate service) {
    return new Holder(credential, service, null, null, null);
  }

  /** Somebody with a password. */
  public static Holder of(String user, byte[] password) {
    return new Holder(null, null, user, password, null);
  }

  String userName() throws UnusableMessage {
    if (user == null) {
      throw new UnusableMessage("the policy demands a user's name");
    }
    return user;
  }

  byte[] userPassword() throws UnusableMessage {
    if (password == null) {
      throw new UnusableMessage("the policy demands a password");
    }
    return password;
  }

  /** Names nobody. */
  @Override
  public String toString() {
    return "Holder";
  }
}
