package dev.staithe.wss.client;

import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.policy.SupportingToken;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;

/** Says what a policy demands, for people. */
public final class PolicyInWords {
  private PolicyInWords() {}

  /** Lines, each a whole sentence. */
  public static List<String> of(EndpointPolicy policy) {
    var lines = new ArrayList<String>();
    binding(policy, lines);
    for (SupportingToken each : policy.supporting()) {
      lines.add(token(each));
    }
    boolean layered =
        !(policy.binding() instanceof Binding.None)
            && !(policy.binding() instanceof Binding.Transport);
    if (layered) {
      parts("Signed must be", policy.signed(), lines);
      parts("Encrypted must be", policy.encrypted(), lines);
      lines.add(
          policy.encryptBeforeSigning()
              ? "What is encrypted is encrypted before the signature is made."
              : "The signature is made before anything is encrypted.");
      if (policy.encryptSignature()) {
        lines.add("The signature is encrypted too.");
      }
      lines.add("By " + suite(policy.suite()) + ".");
    }
    if (policy.timestamp()) {
      lines.add("Each message says when it was made.");
    }
    if (policy.signatureConfirmation()) {
      lines.add("Answers confirm the signature of their request.");
    }
    if (policy.addressing()) {
      lines.add("Each message has header blocks of WS-Addressing.");
    }
    return lines;
  }

  private static void binding(EndpointPolicy policy, List<String> lines) {
    switch (policy.binding()) {
      case Binding.None() -> lines.add("Nothing protects messages.");
      case Binding.Transport(boolean shown) ->
          lines.add(
              shown
                  ? "TLS protects messages, and the client shows a certificate there."
                  : "TLS protects messages.");
      case Binding.Asymmetric _ ->
          lines.add(
              "Both sides sign with the keys of their X.509 certificates and encrypt for the"
                  + " other's.");
      case Binding.EncryptedKey(boolean derived) ->
          lines.add(
              "The client makes a key for each exchange and encrypts it for the service's"
                  + " certificate."
                  + derived(derived));
      case Binding.UsernameKeys(boolean derived) ->
          lines.add("Keys are made from a user's password." + derived(derived));
      case Binding.Conversation each -> {
        lines.add(
            "Keys come from a context, which the client asks for first."
                + derived(each.derivedKeys()));
        lines.add(
            "A context "
                + (each.renew() ? "may be renewed" : "is not renewed")
                + " and "
                + (each.cancel() ? "may be cancelled." : "is not cancelled."));
        for (String line : of(each.bootstrap())) {
          lines.add("To ask for one: " + line);
        }
      }
    }
  }

  private static String derived(boolean derived) {
    return derived ? " Each message derives keys of its own from it." : "";
  }

  private static String token(SupportingToken token) {
    String what =
        switch (token.kind()) {
          case USERNAME_TEXT -> "a user's name and password";
          case USERNAME_DIGEST -> "a user's name and a digest of the password";
          case USERNAME_ONLY -> "a user's name";
          case X509 -> "an X.509 certificate";
          case BEARER -> "a token of authn-service in the HTTP request";
        };
    return "The client shows "
        + what
        + (token.endorsing() ? ", and signs with it" : "")
        + (token.encrypted() ? ", encrypted" : "")
        + ".";
  }

  private static void parts(String verb, Parts parts, List<String> lines) {
    var names = new ArrayList<String>();
    if (parts.body()) {
      names.add("the body");
    }
    for (QName each : parts.headers()) {
      names.add(
          each.getLocalPart().equals("*")
              ? "header blocks of " + each.getNamespaceURI()
              : "header blocks " + each);
    }
    if (parts.attachments()) {
      names.add("attachments");
    }
    if (!names.isEmpty()) {
      lines.add(verb + ": " + String.join(", ", names) + ".");
    }
  }

  private static String suite(AlgorithmSuite suite) {
    return suite.name()
        + ": "
        + String.join(
            ", ",
            List.of(
                local(suite.asymmetricSignature()),
                local(suite.symmetricSignature()),
                local(suite.digest()),
                local(suite.encryption()),
                local(suite.keyTransport())));
  }

  private static String local(String uri) {
    return uri.substring(uri.indexOf('#') + 1);
  }
}
