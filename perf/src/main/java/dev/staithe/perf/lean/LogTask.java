package dev.staithe.perf.lean;

/**
 * What a bare process is to do with a log of contracts, by the library that the storage element
 * takes.
 *
 * @param step what
 * @param folder of the log, on the disk; it is made
 * @param entries how many the log is to have for {@link Step#FILL}, else how often the step is done
 */
public record LogTask(Step step, String folder, int entries) implements Assignment {
  /** A piece of work. */
  public enum Step {
    /** Appends until the log has as many; many at once, so that they share their writes. */
    FILL,
    /** Appends, 64 at once. */
    APPEND,
    /** Appends, one after the other. */
    APPEND_ALONE,
    /** Proofs that an entry is in the log, each of another entry. */
    PROOF,
    /** Opens the log as a server does that starts: all of it is read and compared. */
    START
  }
}
