package dev.staithe.perf.peers;

/**
 * The accounts that a session service is given: {@code user-0} to {@code user-(count-1)}.
 *
 * @param count how many
 * @param password of each; it guards nothing
 */
public record Accounts(int count, String password) {
  /** Enough that few users of a load are the same. */
  public static final Accounts USUAL = new Accounts(200, "correct-horse-battery");

  /** The name of one, counted from zero. */
  public static String name(int number) {
    return "user-" + number;
  }

  /** As the scripts below {@code perf/peers} read them. */
  public String lines() {
    return count + "\n" + password + "\n";
  }
}
