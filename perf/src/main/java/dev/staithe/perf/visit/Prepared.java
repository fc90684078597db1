package dev.staithe.perf.visit;

import java.io.IOException;

/**
 * A request that is ready to be sent.
 *
 * @param envelope neither changed nor copied
 * @param check what its answer must be
 */
public record Prepared(byte[] envelope, Check check) {
  /** Judges an answer. */
  public interface Check {
    /** Nothing but what is seen without opening it. */
    Check NONE = answer -> {};

    /**
     * Opens it as the client would.
     *
     * @throws IOException where it is not as it should be, in one line
     */
    void judge(byte[] answer) throws IOException;
  }

  /** The same whose answer is not opened, so that nothing is kept for it. */
  public Prepared unchecked() {
    return new Prepared(envelope, Check.NONE);
  }
}
