package dev.staithe.testkit;

/**
 * Says how often a test of the threat model tried its attack, where it tried more than once. {@code
 * deploy/attack-table} reads what {@link TrialsTold} keeps of that; a test that says nothing counts
 * as one trial for each of its invocations, a property for each of its checks.
 */
public final class Trials {
  private Trials() {}

  /** One more that held. */
  public static void held() {
    held(1);
  }

  /**
   * So many more that held. To be called by the thread that runs the test: JUnit ascribes to a test
   * what that one prints.
   *
   * @param trials as they were counted, not as they were planned
   */
  public static void held(long trials) {
    System.out.println("trials = " + trials);
  }
}
