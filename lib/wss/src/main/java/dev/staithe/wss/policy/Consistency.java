package dev.staithe.wss.policy;

import dev.staithe.wss.policy.SupportingToken.Kind;

/** Refuses what can be read, but would not protect, or demands two things that cannot both be. */
final class Consistency {
  private Consistency() {}

  static void check(EndpointPolicy policy, AlgorithmList list, String where) throws NotUnderstood {
    boolean messages =
        switch (policy.binding()) {
          case Binding.None none -> {
            unprotected(policy, where);
            yield false;
          }
          case Binding.Transport(boolean certificate) -> {
            transport(policy, certificate);
            yield false;
          }
          case Binding.Asymmetric asymmetric -> true;
          case Binding.Conversation conversation -> true;
          case Binding.EncryptedKey key -> true;
          case Binding.UsernameKeys keys -> true;
        };
    if (messages) {
      message(policy, where);
    }
    algorithms(policy, list);
  }

  private static void unprotected(EndpointPolicy policy, String where) throws NotUnderstood {
    if (!policy.signed().equals(Parts.NONE)
        || !policy.encrypted().equals(Parts.NONE)
        || !policy.supporting().isEmpty()
        || policy.signatureConfirmation()) {
      throw new NotUnderstood(
          where + " demands protected parts or tokens, but has no binding that protects them");
    }
  }

  private static void transport(EndpointPolicy policy, boolean certificate) throws NotUnderstood {
    boolean endorsed = policy.supporting().stream().anyMatch(SupportingToken::endorsing);
    if (endorsed && !policy.timestamp()) {
      throw new NotUnderstood(
          "an endorsing token signs the timestamp, but there is no sp:IncludeTimestamp");
    }
    for (SupportingToken token : policy.supporting()) {
      if (token.kind() == Kind.USERNAME_ONLY && !certificate && !endorsed) {
        throw new NotUnderstood("sp:NoPassword: nobody vouches for the user's name");
      }
    }
    if (policy.signatureConfirmation() && !endorsed) {
      throw new NotUnderstood(
          "sp:RequireSignatureConfirmation, but there is no signature to confirm");
    }
  }

  private static void message(EndpointPolicy policy, String where) throws NotUnderstood {
    if (!policy.signed().body()) {
      throw new NotUnderstood(
          where + ": sp:SignedParts must name sp:Body, as only what is signed is passed on");
    }
    if (!policy.timestamp()) {
      throw new NotUnderstood(
          where + " has no sp:IncludeTimestamp, without which replays cannot be told");
    }
    if (policy.signed().attachments() || policy.encrypted().attachments()) {
      throw new NotUnderstood("sp:Attachments is not supported: attachments are passed through");
    }
    for (SupportingToken token : policy.supporting()) {
      switch (token.kind()) {
        case USERNAME_TEXT -> {
          if (!token.encrypted()) {
            throw new NotUnderstood(
                "sp:UsernameToken with a password must be among encrypted supporting tokens");
          }
        }
        case USERNAME_ONLY -> {
          if (!token.signed()) {
            throw new NotUnderstood("sp:NoPassword: nobody vouches for the user's name");
          }
        }
        case USERNAME_DIGEST, X509, BEARER -> {
          // Each proves itself.
        }
      }
    }
  }

  private static void algorithms(EndpointPolicy policy, AlgorithmList list) throws NotUnderstood {
    AlgorithmSuite suite = policy.suite();
    // Whether they are used or not: what is allowed nowhere is a mistake everywhere.
    allowed(suite, suite.encryption(), AlgorithmList.INTEROP.allowsEncryption(suite.encryption()));
    allowed(
        suite,
        suite.keyTransport(),
        AlgorithmList.INTEROP.allowsKeyTransport(suite.keyTransport()));
    boolean endorsed = policy.supporting().stream().anyMatch(SupportingToken::endorsing);
    boolean keys = false;
    boolean macs = false;
    boolean certificates = endorsed;
    switch (policy.binding()) {
      case Binding.None none -> {}
      case Binding.Transport transport -> {}
      case Binding.Asymmetric asymmetric -> {
        certificates = true;
        keys = true;
      }
      case Binding.Conversation conversation -> macs = true;
      case Binding.EncryptedKey key -> {
        macs = true;
        keys = true;
      }
      case Binding.UsernameKeys of -> macs = true;
    }
    if (certificates || macs) {
      allowed(list, suite, suite.digest(), list.allowsDigest(suite.digest()));
    }
    if (certificates) {
      String signature = suite.asymmetricSignature();
      allowed(list, suite, signature, list.allowsSignature(signature));
    }
    if (macs) {
      allowed(list, suite, suite.symmetricSignature(), list.allowsMac(suite.symmetricSignature()));
    }
    if (macs || keys) {
      allowed(list, suite, suite.encryption(), list.allowsEncryption(suite.encryption()));
    }
    if (keys) {
      allowed(list, suite, suite.keyTransport(), list.allowsKeyTransport(suite.keyTransport()));
    }
  }

  private static void allowed(AlgorithmSuite suite, String uri, boolean allowed)
      throws NotUnderstood {
    if (!allowed) {
      throw new NotUnderstood("the suite " + suite.name() + " uses " + uri + ", which is broken");
    }
  }

  private static void allowed(AlgorithmList list, AlgorithmSuite suite, String uri, boolean allowed)
      throws NotUnderstood {
    if (!allowed) {
      throw new NotUnderstood(
          "the suite "
              + suite.name()
              + " uses "
              + uri
              + ", which the list "
              + list.label()
              + " does not allow");
    }
  }
}
