package dev.staithe.authn.store;

import dev.staithe.service.StoreUnavailable;
import java.util.List;

/** Writes batches; called by one thread only, but for {@link #abort}. */
interface BatchWriter {
  /**
   * Writes all of it at once, and returns when that is acknowledged as the model promises.
   *
   * @throws Rejected where none of it was written, nor will be
   * @throws StoreUnavailable where nobody knows; to be tried again
   */
  void write(List<Write> batch) throws RefusedWrite, StoreUnavailable;

  /** Called after each batch, and now and then when there is nothing to write. */
  void rest();

  /** Makes a {@link #write} that hangs fail; from another thread. */
  void abort();
}
