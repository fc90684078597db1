package dev.staithe.wss.policy;

import dev.staithe.wss.Namespaces;
import java.util.Set;
import javax.xml.namespace.QName;

/**
 * The version of WS-SecurityPolicy that a document is written in.
 *
 * @param namespace of the assertions: 2005/07, or that of 1.2, which 1.3 keeps
 * @param additions whether it uses what 1.3 adds, in a namespace of its own
 */
record Dialect(String namespace, boolean additions) {
  /** Assertions that 1.2 brought; in a document of 2005/07 they mean nothing. */
  private static final Set<String> SINCE_1_2 =
      Set.of(
          "Attachments",
          "EncryptedSupportingTokens",
          "EndorsingEncryptedSupportingTokens",
          "HashPassword",
          "MustNotSendCancel",
          "MustNotSendRenew",
          "MustNotSendAmend",
          "NoPassword",
          "RequireClientCertificate",
          "RequireExplicitDerivedKeys",
          "RequireRequestSecurityTokenCollection",
          "SC13SecurityContextToken",
          "SignedEncryptedSupportingTokens",
          "SignedEndorsingEncryptedSupportingTokens",
          "Trust13");

  /** Finds the version by the namespaces that are used. */
  static Dialect of(Set<String> used) throws NotUnderstood {
    boolean additions = used.contains(Namespaces.SP_13);
    if (!used.contains(Namespaces.SP_2005)) {
      return new Dialect(Namespaces.SP_12, additions);
    }
    if (additions || used.contains(Namespaces.SP_12)) {
      throw new NotUnderstood("assertions of two versions of WS-SecurityPolicy are mixed");
    }
    return new Dialect(Namespaces.SP_2005, false);
  }

  /** Whether that is the assertion of this name. */
  boolean is(QName name, String local) {
    return name.getNamespaceURI().equals(namespace)
        && name.getLocalPart().equals(local)
        && !(namespace.equals(Namespaces.SP_2005) && SINCE_1_2.contains(local));
  }

  /** What {@link EndpointPolicy#securityPolicy()} says. */
  String version() {
    return additions ? Namespaces.SP_13 : namespace;
  }

  /** A name for people. */
  static String name(QName name) {
    String namespace = name.getNamespaceURI();
    String local = name.getLocalPart();
    if (local.length() > 100) {
      local = local.substring(0, 100) + "…";
    }
    return switch (namespace) {
      case Namespaces.SP_2005, Namespaces.SP_12 -> "sp:" + local;
      case Namespaces.SP_13 -> "sp13:" + local;
      case Namespaces.POLICY_2004, Namespaces.POLICY_15 -> "wsp:" + local;
      case "" -> local;
      default ->
          "{" + (namespace.length() > 200 ? namespace.substring(0, 200) : namespace) + "}" + local;
    };
  }
}
