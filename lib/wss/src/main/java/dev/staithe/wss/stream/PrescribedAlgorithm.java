package dev.staithe.wss.stream;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.AlgorithmList;

/** Judges algorithms before anything is computed by them. */
final class PrescribedAlgorithm {
  private PrescribedAlgorithm() {}

  /**
   * Refuses an algorithm that is not the prescribed one, or that the list does not take whatever
   * the suite says.
   */
  static void demand(String uri, String prescribed, Expectation expectation) throws Rejected {
    if (!uri.equals(prescribed)
        || isOld(uri) && expectation.algorithms() != AlgorithmList.INTEROP) {
      throw new Rejected(Refusal.ALGORITHM, "an algorithm that is not prescribed");
    }
  }

  private static boolean isOld(String uri) {
    return uri.endsWith("sha1") || uri.endsWith("-cbc");
  }
}
