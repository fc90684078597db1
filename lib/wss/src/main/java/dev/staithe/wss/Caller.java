package dev.staithe.wss;

import java.security.cert.X509Certificate;
import java.util.List;

/** Who sent a message, as far as its endpoint asks. */
public sealed interface Caller {
  /** How rules and logs name them; empty for nobody in particular. */
  String subject();

  /**
   * Whether two are one and the same: known in the same way, by the same name and, where a
   * certificate says it, from the same authority. Nobody in particular is not the same as anybody.
   */
  default boolean isSame(Caller other) {
    return !subject().isEmpty()
        && getClass() == other.getClass()
        && subject().equals(other.subject())
        && (!(this instanceof Certificate one)
            || !(other instanceof Certificate two)
            || !one.chain().isEmpty()
                && !two.chain().isEmpty()
                && one.chain()
                    .getFirst()
                    .getIssuerX500Principal()
                    .equals(two.chain().getFirst().getIssuerX500Principal()));
  }

  /** Nobody said who they are, and nobody asked. */
  record Anonymous() implements Caller {
    @Override
    public String subject() {
      return "";
    }
  }

  /**
   * The holder of a certificate's key.
   *
   * @param subject its name, slashed as grids write it; a proxy's is that of its end entity
   * @param chain as it came or was found, end entity first
   */
  record Certificate(String subject, List<X509Certificate> chain) implements Caller {
    /** Keeps its own list. */
    public Certificate {
      chain = List.copyOf(chain);
    }
  }

  /**
   * Whoever knows the password.
   *
   * @param subject the user's name
   */
  record Username(String subject) implements Caller {}

  /**
   * Whoever has a token of authn-service.
   *
   * @param subject whom it stands for
   */
  record Token(String subject) implements Caller {}
}
