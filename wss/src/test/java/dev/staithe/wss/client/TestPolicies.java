package dev.staithe.wss.client;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.EndpointPolicy.Layout;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.policy.SupportingToken;
import java.util.List;

/** Policies as their documents would say them. */
final class TestPolicies {
  /** Of the standard: SHA-1 and CBC. */
  static final AlgorithmSuite INTEROP =
      new AlgorithmSuite(
          "Basic128Sha256",
          Namespaces.XENC + "sha256",
          Namespaces.DS + "rsa-sha1",
          Namespaces.DS + "hmac-sha1",
          Namespaces.XENC + "aes128-cbc",
          Namespaces.XENC + "rsa-oaep-mgf1p",
          16,
          16);

  static final AlgorithmSuite MODERN =
      new AlgorithmSuite(
          "Basic128GCMSha256",
          Namespaces.XENC + "sha256",
          "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
          "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
          Namespaces.XENC11 + "aes128-gcm",
          Namespaces.XENC + "rsa-oaep-mgf1p",
          16,
          16);

  private TestPolicies() {}

  static EndpointPolicy policy(
      Binding binding, AlgorithmSuite suite, SupportingToken... supporting) {
    boolean layered = !(binding instanceof Binding.None) && !(binding instanceof Binding.Transport);
    return new EndpointPolicy(
        "0123456789abcdef",
        Namespaces.SP_12,
        binding,
        suite,
        !(binding instanceof Binding.None),
        false,
        false,
        true,
        Layout.STRICT,
        layered ? Parts.BODY : Parts.NONE,
        layered ? Parts.BODY : Parts.NONE,
        List.of(supporting),
        false,
        true,
        true,
        false);
  }

  static EndpointPolicy x509(AlgorithmSuite suite) {
    return policy(new Binding.Asymmetric(false), suite);
  }

  static EndpointPolicy conversation(AlgorithmSuite suite) {
    return policy(new Binding.Conversation(true, x509(suite), true, true), suite);
  }
}
