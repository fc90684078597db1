package dev.staithe.storage.policy;

import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.authz.GrantedCaller;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.authz.TokenCaller;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing that is proved of a caller and that a rule may name.
 *
 * @param kind what it is
 * @param issuer whose word it is; empty where no token's
 * @param name compared exactly; empty where the kind says all
 */
public record Principal(Kind kind, String issuer, String name) {
  static final Principal ANYONE = new Principal(Kind.ANYONE, "", "");
  static final Principal AUTHENTICATED = new Principal(Kind.AUTHENTICATED, "", "");

  /** What a principal can be. */
  public enum Kind {
    /** Everybody. */
    ANYONE,
    /** Whoever has a token or certificate that is believed. */
    AUTHENTICATED,
    /** The holder of any token of an issuer. */
    ISSUER,
    /** The subject of a token. */
    SUBJECT,
    /** A group that a token names. */
    GROUP,
    /** A group or role that a VOMS server has signed. */
    VOMS,
    /** The person's or service's name in a certificate. */
    CERTIFICATE
  }

  /** All that the caller is. */
  public static List<Principal> of(Caller caller) {
    List<Principal> all = new ArrayList<>();
    all.add(ANYONE);
    switch (caller) {
      case Caller.Anonymous anonymous -> {}
      case TokenCaller token -> {
        all.add(AUTHENTICATED);
        all.add(new Principal(Kind.ISSUER, token.issuer(), ""));
        all.add(new Principal(Kind.SUBJECT, token.issuer(), token.subject()));
        for (String group : token.groups()) {
          all.add(new Principal(Kind.GROUP, token.issuer(), group));
        }
      }
      case CertificateCaller certificate -> {
        all.add(AUTHENTICATED);
        all.add(new Principal(Kind.CERTIFICATE, "", certificate.subject().name()));
        for (String fqan : certificate.groups()) {
          all.add(new Principal(Kind.VOMS, "", fqan));
        }
      }
      case TicketCaller ticket -> all.clear();
      case GrantedCaller granted -> {
        return of(granted.giver());
      }
    }
    return all;
  }

  @Override
  public String toString() {
    return switch (kind) {
      case ANYONE -> "anyone";
      case AUTHENTICATED -> "anyone with a token or certificate";
      case ISSUER -> "any token of " + issuer;
      case SUBJECT -> "subject " + name + " of " + issuer;
      case GROUP -> "group " + name + " of " + issuer;
      case VOMS -> "VOMS attribute " + name;
      case CERTIFICATE -> "certificate " + name;
    };
  }
}
