package dev.staithe.wss.policy;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Reads policies: WS-Policy 2004/09 or 1.5 with the assertions of WS-SecurityPolicy 2005/07, 1.2 or
 * 1.3, {@code wsam:Addressing}, the algorithm suites of {@link AlgorithmSuites}, and one assertion
 * of ours, {@code {urn:staithe:policy}HttpBearerAuthentication} within {@code sp:HttpsToken}.
 *
 * <p>Nothing is overlooked: an assertion, attribute or parameter that is not carried out refuses
 * the document and is named, also where WS-Policy lets it be ignored. There is one alternative; of
 * what is optional only that which a message may have anyway is taken, and not demanded. Nothing is
 * fetched. Thread-safe.
 */
public final class PolicyReader {
  private PolicyReader() {}

  /**
   * Reads a document.
   *
   * @param document XML, at most 256 KiB
   * @param algorithms what is taken at all; a suite whose algorithms are not, as far as the policy
   *     uses them, is refused
   */
  public static PolicyOutcome read(byte[] document, AlgorithmList algorithms) {
    try {
      PolicyAssertions all = PolicyDocument.read(document);
      return new PolicyOutcome.Accepted(
          new EndpointReader(algorithms, version(document)).read(all));
    } catch (NotUnderstood e) {
      return new PolicyOutcome.Refused(e.line());
    }
  }

  private static String version(byte[] document) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(document);
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }
}
