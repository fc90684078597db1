package dev.staithe.gateway.wss;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.policy.SupportingToken;
import java.util.List;
import javax.xml.namespace.QName;

/** Policies as a document would say them, made by hand. */
record Policies(
    Binding binding,
    AlgorithmSuite suite,
    boolean timestamp,
    boolean encryptBeforeSigning,
    boolean encryptSignature,
    EndpointPolicy.Layout layout,
    Parts signed,
    Parts encrypted,
    List<SupportingToken> supporting,
    boolean confirmation) {
  static final AlgorithmSuite MODERN =
      new AlgorithmSuite(
          "Basic128GCM",
          Namespaces.XENC + "sha256",
          "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
          "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
          Namespaces.XENC11 + "aes128-gcm",
          Namespaces.XENC + "rsa-oaep-mgf1p",
          16,
          16);
  static final AlgorithmSuite INTEROP =
      new AlgorithmSuite(
          "Basic128",
          Namespaces.DS + "sha1",
          Namespaces.DS + "rsa-sha1",
          Namespaces.DS + "hmac-sha1",
          Namespaces.XENC + "aes128-cbc",
          Namespaces.XENC + "rsa-oaep-mgf1p",
          16,
          16);
  static final AlgorithmSuite STRONG =
      new AlgorithmSuite(
          "Basic256GCM",
          Namespaces.XENC + "sha256",
          "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
          "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
          Namespaces.XENC11 + "aes256-gcm",
          Namespaces.XENC11 + "rsa-oaep",
          32,
          24);
  static final Parts WITH_ADDRESSING =
      new Parts(true, List.of(new QName(Namespaces.WSA, "*")), false);

  static Policies of(Binding binding) {
    return new Policies(
        binding,
        MODERN,
        true,
        false,
        false,
        EndpointPolicy.Layout.LAX,
        WITH_ADDRESSING,
        Parts.BODY,
        List.of(),
        false);
  }

  static Policies asymmetric() {
    return of(new Binding.Asymmetric());
  }

  static Policies conversation() {
    return of(new Binding.Conversation(true, asymmetric().policy(), true, true));
  }

  Policies layout(EndpointPolicy.Layout other) {
    return new Policies(
        binding,
        suite,
        timestamp,
        encryptBeforeSigning,
        encryptSignature,
        other,
        signed,
        encrypted,
        supporting,
        confirmation);
  }

  Policies withSuite(AlgorithmSuite other) {
    return new Policies(
        binding,
        other,
        timestamp,
        encryptBeforeSigning,
        encryptSignature,
        layout,
        signed,
        encrypted,
        supporting,
        confirmation);
  }

  Policies encryptingFirst() {
    return new Policies(
        binding,
        suite,
        timestamp,
        true,
        encryptSignature,
        layout,
        signed,
        encrypted,
        supporting,
        confirmation);
  }

  Policies encryptingSignature() {
    return new Policies(
        binding,
        suite,
        timestamp,
        encryptBeforeSigning,
        true,
        layout,
        signed,
        encrypted,
        supporting,
        confirmation);
  }

  Policies confirming() {
    return new Policies(
        binding,
        suite,
        timestamp,
        encryptBeforeSigning,
        encryptSignature,
        layout,
        signed,
        encrypted,
        supporting,
        true);
  }

  Policies encrypting(Parts parts) {
    return new Policies(
        binding,
        suite,
        timestamp,
        encryptBeforeSigning,
        encryptSignature,
        layout,
        signed,
        parts,
        supporting,
        confirmation);
  }

  Policies supportedBy(SupportingToken... tokens) {
    return new Policies(
        binding,
        suite,
        timestamp,
        encryptBeforeSigning,
        encryptSignature,
        layout,
        signed,
        encrypted,
        List.of(tokens),
        confirmation);
  }

  EndpointPolicy policy() {
    return new EndpointPolicy(
        "0123456789abcdef",
        Namespaces.SP_12,
        binding,
        suite,
        timestamp,
        encryptBeforeSigning,
        encryptSignature,
        true,
        layout,
        signed,
        encrypted,
        supporting,
        confirmation,
        true,
        true,
        false);
  }
}
