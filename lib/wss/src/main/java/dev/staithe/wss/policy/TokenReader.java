package dev.staithe.wss.policy;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.SupportingToken.Kind;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;

/** Reads token assertions (WS-SecurityPolicy 1.2 section 5), whatever they stand in. */
final class TokenReader {
  private static final QName BEARER = new QName(AlgorithmSuites.OWN, "HttpBearerAuthentication");

  private TokenReader() {}

  /**
   * What a transport demands.
   *
   * @param clientCertificate whether TLS must show the client's
   * @param bearer whether HTTP must bring a token
   */
  record Https(boolean clientCertificate, boolean bearer) {}

  /** {@code sp:HttpsToken} (section 5.4.10; before 1.2 with an attribute). */
  static Https https(PolicyAssertions transportToken) throws NotUnderstood {
    Assertion token = token(transportToken, "HttpsToken");
    PolicyAssertions said = transportToken.of(token);
    boolean certificate;
    if (said.dialect().namespace().equals(Namespaces.SP_2005)) {
      var attribute = new QName("RequireClientCertificate");
      PolicyAssertions.noAttributes(token, attribute);
      certificate =
          switch (token.attributes().getOrDefault(attribute, "false").strip()) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default ->
                throw new NotUnderstood("RequireClientCertificate is neither true nor false");
          };
    } else {
      PolicyAssertions.noAttributes(token, null);
      said.leave(new QName(Namespaces.SP_12, "RequireClientCertificate"));
      certificate = said.flag("RequireClientCertificate");
    }
    boolean bearer = said.flag(BEARER);
    said.end();
    return new Https(certificate, bearer);
  }

  /** Takes the only token, which must be of that kind. */
  private static Assertion token(PolicyAssertions holder, String local) throws NotUnderstood {
    Assertion token = holder.only();
    if (!holder.dialect().is(token.name(), local)) {
      throw new NotUnderstood(
          Dialect.name(token.name()) + " in " + holder.where() + " is not supported");
    }
    PolicyAssertions.noParameters(token);
    return token;
  }

  /** The client's {@code sp:X509Token} of an asymmetric binding. */
  static void initiator(PolicyAssertions holder) throws NotUnderstood {
    Assertion token = token(holder, "X509Token");
    Inclusion.among(
        token, holder.dialect(), Inclusion.TO_RECIPIENT, Inclusion.ALWAYS, Inclusion.NEVER);
    PolicyAssertions said = holder.of(token);
    certificate(said, true);
    said.end();
  }

  /**
   * Ours.
   *
   * @return whether answers carry it
   */
  static boolean recipient(PolicyAssertions holder) throws NotUnderstood {
    Assertion token = token(holder, "X509Token");
    Inclusion inclusion =
        Inclusion.among(
            token, holder.dialect(), Inclusion.NEVER, Inclusion.TO_INITIATOR, Inclusion.ALWAYS);
    PolicyAssertions said = holder.of(token);
    certificate(said, false);
    said.end();
    return inclusion == Inclusion.TO_INITIATOR || inclusion == Inclusion.ALWAYS;
  }

  /**
   * What both kinds of certificate token may say. A client may refer to its own certificate in
   * every form that there is; ours is referred to by its SHA-1.
   */
  private static void certificate(PolicyAssertions said, boolean clients) throws NotUnderstood {
    said.flag("RequireThumbprintReference");
    said.flag("WssX509V3Token10");
    said.flag("WssX509V3Token11");
    if (clients) {
      said.flag("RequireKeyIdentifierReference");
      said.flag("RequireIssuerSerialReference");
      said.flag("WssX509PkiPathV1Token10");
      said.flag("WssX509PkiPathV1Token11");
    }
  }

  /** The token whose key protects both ways (section 7.4). */
  static Binding symmetric(PolicyAssertions holder, EndpointReader policies) throws NotUnderstood {
    Assertion token = holder.only();
    Dialect dialect = holder.dialect();
    PolicyAssertions.noParameters(token);
    PolicyAssertions said = holder.of(token);
    if (dialect.is(token.name(), "X509Token")) {
      Inclusion.among(token, dialect, Inclusion.NEVER, Inclusion.TO_RECIPIENT);
      boolean derived = derived(said);
      certificate(said, false);
      said.end();
      return new Binding.EncryptedKey(derived);
    }
    if (dialect.is(token.name(), "UsernameToken")) {
      Inclusion.among(token, dialect, Inclusion.TO_RECIPIENT, Inclusion.ALWAYS);
      boolean derived = derived(said);
      said.flag("WssUsernameToken10");
      said.flag("WssUsernameToken11");
      // A key from a password stands for it: the token itself has none (UsernameToken 1.1, 4).
      said.flag("NoPassword");
      said.end();
      return new Binding.UsernameKeys(derived);
    }
    if (dialect.is(token.name(), "SecureConversationToken")) {
      Inclusion.among(token, dialect, Inclusion.TO_RECIPIENT);
      return conversation(said, policies);
    }
    throw new NotUnderstood(
        Dialect.name(token.name()) + " in " + holder.where() + " is not supported");
  }

  private static boolean derived(PolicyAssertions said) throws NotUnderstood {
    boolean any = said.flag("RequireDerivedKeys");
    boolean written = said.flag("RequireExplicitDerivedKeys");
    return any || written;
  }

  /** {@code sp:SecureConversationToken} (section 5.4.7). */
  private static Binding conversation(PolicyAssertions said, EndpointReader policies)
      throws NotUnderstood {
    boolean derived = derived(said);
    boolean first = said.flag("SC10SecurityContextToken");
    boolean later = said.flag("SC13SecurityContextToken");
    if (first && later) {
      throw new NotUnderstood(
          "sp:SC10SecurityContextToken and sp:SC13SecurityContextToken contradict each other");
    }
    boolean keep = said.flag("MustNotSendCancel");
    keep |= said.flag(new QName(MICROSOFT, "MustNotSendCancel"));
    boolean once = said.flag("MustNotSendRenew");
    // Nobody can amend a context here anyway.
    said.flag("MustNotSendAmend");
    PolicyAssertions bootstrap = said.nested("BootstrapPolicy");
    said.end();
    if (bootstrap == null) {
      throw new NotUnderstood(
          "sp:SecureConversationToken without sp:BootstrapPolicy: who may ask for a context?");
    }
    return new Binding.Conversation(derived, policies.bootstrap(bootstrap), !keep, !once);
  }

  /** What Windows says where later versions of the standard have it too. */
  private static final String MICROSOFT = "http://schemas.microsoft.com/ws/2005/07/securitypolicy";

  /** The tokens in a supporting tokens assertion (section 8). */
  static List<SupportingToken> supporting(
      PolicyAssertions holder, boolean endorsing, boolean signed, boolean encrypted)
      throws NotUnderstood {
    List<SupportingToken> all = new ArrayList<>();
    for (Assertion token : holder.all("UsernameToken")) {
      all.add(new SupportingToken(username(holder, token), endorsing, signed, encrypted));
      if (endorsing) {
        throw new NotUnderstood(
            "sp:UsernameToken in " + holder.where() + " is not supported: it cannot sign");
      }
    }
    for (Assertion token : holder.all("X509Token")) {
      PolicyAssertions.noParameters(token);
      Inclusion.among(
          token, holder.dialect(), Inclusion.TO_RECIPIENT, Inclusion.ALWAYS, Inclusion.NEVER);
      PolicyAssertions said = holder.of(token);
      certificate(said, true);
      said.end();
      if (!endorsing) {
        throw new NotUnderstood(
            "sp:X509Token in "
                + holder.where()
                + " is not supported: a certificate proves nothing that does not sign");
      }
      all.add(new SupportingToken(Kind.X509, true, signed, encrypted));
    }
    holder.end();
    if (all.isEmpty()) {
      throw new NotUnderstood(holder.where() + " is empty");
    }
    return all;
  }

  private static Kind username(PolicyAssertions holder, Assertion token) throws NotUnderstood {
    PolicyAssertions.noParameters(token);
    Inclusion.among(token, holder.dialect(), Inclusion.TO_RECIPIENT, Inclusion.ALWAYS);
    PolicyAssertions said = holder.of(token);
    said.flag("WssUsernameToken10");
    said.flag("WssUsernameToken11");
    boolean none = said.flag("NoPassword");
    boolean digest = said.flag("HashPassword");
    // A digest is made of both; beside a password they would prove nothing.
    String needless = null;
    for (String part : List.of("Created", "Nonce")) {
      if (said.flag(new QName(Namespaces.SP_13, part))) {
        needless = part;
      }
    }
    said.end();
    if (none && digest) {
      throw new NotUnderstood("sp:NoPassword and sp:HashPassword contradict each other");
    }
    if (needless != null && !digest) {
      throw new NotUnderstood(
          "sp13:" + needless + " in sp:UsernameToken is supported only with sp:HashPassword");
    }
    return none ? Kind.USERNAME_ONLY : digest ? Kind.USERNAME_DIGEST : Kind.USERNAME_TEXT;
  }
}
