package dev.staithe.wss.policy;

import dev.staithe.wss.policy.EndpointPolicy.Layout;
import dev.staithe.wss.policy.SupportingToken.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/** Makes one endpoint's policy of the assertions of one document. */
final class EndpointReader {
  private static final String WSAM = "http://www.w3.org/2007/05/addressing/metadata";
  private static final QName ADDRESSING = new QName(WSAM, "Addressing");
  private static final QName USING_ADDRESSING =
      new QName("http://www.w3.org/2006/05/addressing/wsdl", "UsingAddressing");

  /** What a message may have, whatever the policy says of it; passed through. */
  private static final List<QName> MTOM =
      List.of(
          new QName(
              "http://schemas.xmlsoap.org/ws/2004/09/policy/optimizedmimeserialization",
              "OptimizedMimeSerialization"),
          new QName("http://www.w3.org/2007/08/soap12-mtom-policy", "MTOM"));

  private final AlgorithmList algorithms;
  private final String version;

  EndpointReader(AlgorithmList algorithms, String version) {
    this.algorithms = algorithms;
    this.version = version;
  }

  /** What a binding says beside its tokens. */
  private record Properties(
      AlgorithmSuite suite,
      boolean timestamp,
      boolean encryptBeforeSigning,
      boolean encryptSignature,
      boolean entire,
      Layout layout) {}

  /** What {@code sp:Trust10} and {@code sp:Trust13} say. */
  private record Entropy(boolean client, boolean server) {}

  EndpointPolicy read(PolicyAssertions all) throws NotUnderstood {
    return read(all, false);
  }

  /** The policy of requests for a context. */
  EndpointPolicy bootstrap(PolicyAssertions all) throws NotUnderstood {
    EndpointPolicy policy = read(all, true);
    if (policy.binding() instanceof Binding.None) {
      throw new NotUnderstood("sp:BootstrapPolicy has no binding");
    }
    return policy;
  }

  private EndpointPolicy read(PolicyAssertions all, boolean bootstrap) throws NotUnderstood {
    boolean addressing = addressing(all);
    MTOM.forEach(all::leave);
    List<SupportingToken> supporting = new ArrayList<>();
    Parts signed = PartsReader.read(all, "SignedParts");
    Parts encrypted = PartsReader.read(all, "EncryptedParts");
    supporting(all, supporting);
    boolean confirmation = wss(all);
    Entropy entropy = trust(all);
    Binding binding = new Binding.None();
    Properties properties =
        new Properties(algorithms.usual(), false, false, false, false, Layout.LAX);

    PolicyAssertions transport = all.nested("TransportBinding");
    PolicyAssertions asymmetric = all.nested("AsymmetricBinding");
    PolicyAssertions symmetric = all.nested("SymmetricBinding");
    if ((transport == null ? 0 : 1) + (asymmetric == null ? 0 : 1) + (symmetric == null ? 0 : 1)
        > 1) {
      throw new NotUnderstood(all.where() + " has two bindings, which contradict each other");
    }
    if (transport != null) {
      TokenReader.Https https = TokenReader.https(present(transport, "TransportToken"));
      binding = new Binding.Transport(https.clientCertificate());
      if (https.bearer()) {
        supporting.add(new SupportingToken(Kind.BEARER, false, false, false));
      }
      properties = properties(transport, false);
      // What TLS protects is protected whole.
      signed = Parts.NONE;
      encrypted = Parts.NONE;
    } else if (asymmetric != null) {
      TokenReader.initiator(present(asymmetric, "InitiatorToken"));
      binding =
          new Binding.Asymmetric(TokenReader.recipient(present(asymmetric, "RecipientToken")));
      properties = properties(asymmetric, true);
    } else if (symmetric != null) {
      binding = TokenReader.symmetric(present(symmetric, "ProtectionToken"), this);
      properties = properties(symmetric, true);
    }
    all.end();
    if (binding instanceof Binding.Conversation conversation) {
      if (bootstrap) {
        throw new NotUnderstood("sp:BootstrapPolicy asks for a context to ask for a context");
      }
      EndpointPolicy first = conversation.bootstrap();
      entropy =
          new Entropy(
              entropy.client() || first.clientEntropy(), entropy.server() || first.serverEntropy());
    }
    EndpointPolicy policy =
        new EndpointPolicy(
            version,
            all.dialect().version(),
            binding,
            properties.suite(),
            properties.timestamp(),
            properties.encryptBeforeSigning(),
            properties.encryptSignature(),
            properties.entire(),
            properties.layout(),
            signed,
            encrypted,
            supporting,
            confirmation,
            entropy.client(),
            entropy.server(),
            addressing);
    Consistency.check(policy, algorithms, all.where());
    return policy;
  }

  private static PolicyAssertions present(PolicyAssertions binding, String token)
      throws NotUnderstood {
    PolicyAssertions said = binding.nested(token);
    if (said == null) {
      throw new NotUnderstood(binding.where() + " has no sp:" + token);
    }
    return said;
  }

  private Properties properties(PolicyAssertions binding, boolean messages) throws NotUnderstood {
    AlgorithmSuite suite = suite(binding);
    boolean timestamp = binding.flag("IncludeTimestamp");
    Layout layout = layout(binding);
    boolean encryptFirst = messages && binding.flag("EncryptBeforeSigning");
    boolean encryptSignature = messages && binding.flag("EncryptSignature");
    boolean entire = messages && binding.flag("OnlySignEntireHeadersAndBody");
    binding.end();
    return new Properties(suite, timestamp, encryptFirst, encryptSignature, entire, layout);
  }

  private AlgorithmSuite suite(PolicyAssertions binding) throws NotUnderstood {
    PolicyAssertions named = present(binding, "AlgorithmSuite");
    Assertion assertion = named.only();
    AlgorithmSuite suite = AlgorithmSuites.of(assertion.name(), named.dialect().namespace());
    if (suite == null) {
      throw new NotUnderstood(
          Dialect.name(assertion.name()) + " in sp:AlgorithmSuite is not understood");
    }
    PolicyAssertions.noParameters(assertion);
    PolicyAssertions.noAttributes(assertion, null);
    named.of(assertion).end();
    return suite;
  }

  private static Layout layout(PolicyAssertions binding) throws NotUnderstood {
    PolicyAssertions said = binding.nested("Layout");
    if (said == null) {
      return Layout.LAX;
    }
    @Nullable Layout layout = null;
    for (Layout each : Layout.values()) {
      String name =
          switch (each) {
            case STRICT -> "Strict";
            case LAX -> "Lax";
            case LAX_TIMESTAMP_FIRST -> "LaxTsFirst";
            case LAX_TIMESTAMP_LAST -> "LaxTsLast";
          };
      if (said.flag(name)) {
        if (layout != null) {
          throw new NotUnderstood("sp:Layout holds two layouts, which contradict each other");
        }
        layout = each;
      }
    }
    said.end();
    if (layout == null) {
      throw new NotUnderstood("sp:Layout is empty");
    }
    return layout;
  }

  private static boolean addressing(PolicyAssertions all) throws NotUnderstood {
    all.leave(ADDRESSING);
    all.leave(USING_ADDRESSING);
    return all.flag(ADDRESSING, new QName(WSAM, "AnonymousResponses")) | all.flag(USING_ADDRESSING);
  }

  private static void supporting(PolicyAssertions all, List<SupportingToken> into)
      throws NotUnderstood {
    for (boolean signed : new boolean[] {false, true}) {
      for (boolean endorsing : new boolean[] {false, true}) {
        for (boolean encrypted : new boolean[] {false, true}) {
          String name =
              (signed ? "Signed" : "")
                  + (endorsing ? "Endorsing" : "")
                  + (encrypted ? "Encrypted" : "")
                  + "SupportingTokens";
          for (Assertion assertion : all.all(name)) {
            PolicyAssertions.noParameters(assertion);
            PolicyAssertions.noAttributes(assertion, null);
            into.addAll(TokenReader.supporting(all.of(assertion), endorsing, signed, encrypted));
          }
        }
      }
    }
    Set<Kind> kinds = new HashSet<>();
    for (SupportingToken token : into) {
      boolean user =
          token.kind() == Kind.USERNAME_TEXT
              || token.kind() == Kind.USERNAME_DIGEST
              || token.kind() == Kind.USERNAME_ONLY;
      if (!kinds.add(user ? Kind.USERNAME_TEXT : token.kind())) {
        throw new NotUnderstood("two supporting tokens of one kind: which one is the caller?");
      }
    }
  }

  /** Which references must be understood: all of these are. */
  private static boolean wss(PolicyAssertions all) throws NotUnderstood {
    boolean confirmation = false;
    for (String version : List.of("Wss10", "Wss11")) {
      PolicyAssertions said = all.nested(version);
      if (said == null) {
        continue;
      }
      said.flag("MustSupportRefKeyIdentifier");
      said.flag("MustSupportRefIssuerSerial");
      if (version.equals("Wss11")) {
        said.flag("MustSupportRefThumbprint");
        said.flag("MustSupportRefEncryptedKey");
        confirmation = said.flag("RequireSignatureConfirmation");
      }
      said.end();
    }
    return confirmation;
  }

  private static Entropy trust(PolicyAssertions all) throws NotUnderstood {
    boolean client = false;
    boolean server = false;
    boolean before = false;
    for (String version : List.of("Trust10", "Trust13")) {
      PolicyAssertions said = all.nested(version);
      if (said == null) {
        continue;
      }
      if (before) {
        throw new NotUnderstood("sp:Trust10 and sp:Trust13 contradict each other");
      }
      before = true;
      said.flag("MustSupportIssuedTokens");
      client = said.flag("RequireClientEntropy");
      server = said.flag("RequireServerEntropy");
      if (version.equals("Trust13")) {
        said.flag("RequireRequestSecurityTokenCollection");
      }
      said.end();
    }
    return new Entropy(client, server);
  }
}
