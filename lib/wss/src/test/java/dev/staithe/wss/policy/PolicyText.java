package dev.staithe.wss.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Policies for tests, in the words of one version of WS-SecurityPolicy. */
final class PolicyText {
  static final PolicyText SP_2005 =
      new PolicyText(
          "http://schemas.xmlsoap.org/ws/2004/09/policy",
          "http://schemas.xmlsoap.org/ws/2005/07/securitypolicy");
  static final PolicyText SP_12 =
      new PolicyText(
          "http://www.w3.org/ns/ws-policy",
          "http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702");

  static final String SUITE =
      "<sp:AlgorithmSuite><wsp:Policy><sp:Basic256/></wsp:Policy></sp:AlgorithmSuite>";
  static final String TIME = "<sp:IncludeTimestamp/>";
  static final String BODY = "<sp:SignedParts><sp:Body/></sp:SignedParts>";

  private final String wsp;
  private final String sp;

  private PolicyText(String wsp, String sp) {
    this.wsp = wsp;
    this.sp = sp;
  }

  /** A document with that in it. */
  byte[] document(String... content) {
    return ("<wsp:Policy xmlns:wsp='"
            + wsp
            + "' xmlns:sp='"
            + sp
            + "' xmlns:sp13='http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200802'"
            + " xmlns:wsam='http://www.w3.org/2007/05/addressing/metadata'"
            + " xmlns:wsu='http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'"
            + " xmlns:x='urn:x'>"
            + String.join("", content)
            + "</wsp:Policy>")
        .getBytes(UTF_8);
  }

  /** An assertion with a policy in it. */
  static String nest(String name, String... content) {
    return "<sp:"
        + name
        + "><wsp:Policy>"
        + String.join("", content)
        + "</wsp:Policy></sp:"
        + name
        + ">";
  }

  /** A token that travels so. */
  String token(String name, String inclusion, String... content) {
    return nest(name, content)
        .replaceFirst(
            "<sp:" + name + ">",
            "<sp:" + name + " sp:IncludeToken='" + sp + "/IncludeToken/" + inclusion + "'>");
  }

  String asymmetric(String... more) {
    return nest(
        "AsymmetricBinding",
        nest("InitiatorToken", token("X509Token", "AlwaysToRecipient", "<sp:WssX509V3Token10/>")),
        nest("RecipientToken", token("X509Token", "Never", "<sp:WssX509V3Token10/>")),
        SUITE,
        TIME,
        String.join("", more));
  }

  String symmetric(String protection, String... more) {
    return nest(
        "SymmetricBinding",
        nest("ProtectionToken", protection),
        SUITE,
        TIME,
        String.join("", more));
  }

  String transport(String https, String... more) {
    return nest("TransportBinding", nest("TransportToken", https), SUITE, String.join("", more));
  }

  /** A context that is asked for by signed messages. */
  String conversation(String... more) {
    return token(
        "SecureConversationToken",
        "AlwaysToRecipient",
        nest("BootstrapPolicy", asymmetric(), BODY),
        String.join("", more));
  }

  static EndpointPolicy accepted(byte[] document) {
    return switch (PolicyReader.read(document, AlgorithmList.INTEROP)) {
      case PolicyOutcome.Accepted(EndpointPolicy policy) -> policy;
      case PolicyOutcome.Refused(String line) -> throw new AssertionError(line);
    };
  }

  static String refused(byte[] document) {
    return refused(document, AlgorithmList.INTEROP);
  }

  static String refused(byte[] document, AlgorithmList list) {
    return switch (PolicyReader.read(document, list)) {
      case PolicyOutcome.Accepted(EndpointPolicy policy) ->
          throw new AssertionError("accepted: " + policy);
      case PolicyOutcome.Refused(String line) -> line;
    };
  }
}
