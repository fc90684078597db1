package dev.staithe.wss.policy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Policies that an endpoint may name instead of a file. Each is a document like any other, in two
 * forms: with a suite of the standard, and with SHA-256 and GCM.
 */
public final class BuiltInPolicies {
  /** Their names. */
  public static final List<String> NAMES =
      List.of(
          "none",
          "transport",
          "x509",
          "conversation",
          "encrypted-key",
          "username",
          "transport-username",
          "conversation-username",
          "conversation-bearer");

  private static final String PLACE = "@suite@";

  private BuiltInPolicies() {}

  /** Whether there is one of that name. */
  public static boolean has(String name) {
    return NAMES.contains(name);
  }

  /**
   * The document, as it is published.
   *
   * @throws IllegalArgumentException where there is none of that name
   */
  public static byte[] document(String name, AlgorithmList algorithms) {
    if (!has(name)) {
      throw new IllegalArgumentException("there is no policy " + name);
    }
    String suite =
        switch (algorithms) {
          case INTEROP -> "<sp:Basic128/>";
          case MODERN -> "<cxf:CustomAlgorithmSuite xmlns:cxf=\"" + AlgorithmSuites.CXF + "\"/>";
        };
    try (InputStream in = BuiltInPolicies.class.getResourceAsStream(name + ".xml")) {
      if (in == null) {
        throw new IllegalStateException("the policy " + name + " is not in this build");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.replace(PLACE, suite).getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The same, read.
   *
   * @throws IllegalArgumentException where there is none of that name
   */
  public static EndpointPolicy policy(String name, AlgorithmList algorithms) {
    return switch (PolicyReader.read(document(name, algorithms), algorithms)) {
      case PolicyOutcome.Accepted(EndpointPolicy policy) -> policy;
      case PolicyOutcome.Refused(String line) ->
          throw new IllegalStateException("the policy " + name + " is not understood: " + line);
    };
  }
}
