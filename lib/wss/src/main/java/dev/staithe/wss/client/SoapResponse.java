package dev.staithe.wss.client;

import dev.staithe.xml.SoapVersion;

/** What became of an answer. */
public sealed interface SoapResponse {
  /**
   * It is what the policy demands of an answer, and no fault.
   *
   * @param version of SOAP
   * @param envelope without its protection; header blocks that were not protected as demanded are
   *     left out
   * @param payload the first element of the body, with the namespaces that it uses declared; empty
   *     where the body is
   */
  record Message(SoapVersion version, String envelope, String payload) implements SoapResponse {}

  /**
   * A fault.
   *
   * @param version of SOAP
   * @param code local name of the narrowest code, as {@code InvalidSecurity}
   * @param line what it says
   * @param secured whether it was protected as an answer must be; a gateway that could not open a
   *     request cannot protect its fault
   */
  record Fault(SoapVersion version, String code, String line, boolean secured)
      implements SoapResponse {}

  /**
   * Not to be believed, or no SOAP.
   *
   * @param line why
   */
  record Untrusted(String line) implements SoapResponse {}
}
