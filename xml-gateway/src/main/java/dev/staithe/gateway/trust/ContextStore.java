package dev.staithe.gateway.trust;

import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import org.jspecify.annotations.Nullable;

/**
 * Where contexts are kept: in memory ({@link MemoryContexts}), or for several gateways. Of a
 * context whose renewal brought a new key, the key before stays good until it expires, since
 * messages under it may be on their way. Thread-safe.
 */
public interface ContextStore extends Surroundings.Contexts, AutoCloseable {
  /** What came of keeping a context. */
  sealed interface WriteOutcome {
    /** It is kept. */
    record Stored() implements WriteOutcome {}

    /**
     * There are as many as there may be.
     *
     * @param ofSubject whether the owner has too many, else all together have
     */
    record TooMany(boolean ofSubject) implements WriteOutcome {}

    /** There is none of that identifier (any more) that could be renewed. */
    record Unknown() implements WriteOutcome {}

    /**
     * The store does not answer; whether it is kept is not known.
     *
     * @param line for the log
     */
    record Unavailable(String line) implements WriteOutcome {}
  }

  /** What came of ending a context. */
  sealed interface CancelOutcome {
    /** No gateway takes it any more, one that is cut off from the store for a second at most. */
    record Cancelled() implements CancelOutcome {}

    /** There was none. */
    record Unknown() implements CancelOutcome {}

    /**
     * The store does not answer; the context may live on elsewhere.
     *
     * @param line for the log
     */
    record Unavailable(String line) implements CancelOutcome {}
  }

  /** Keeps a new context until it expires, if neither its owner nor all have too many. */
  WriteOutcome keep(SecurityContext context);

  /**
   * Keeps a renewed context of an identifier that is kept already, with the same instance or not.
   * One that has ended of itself counts as a new one.
   */
  WriteOutcome renew(SecurityContext renewed);

  /**
   * A context that may be renewed: one that lives, or one that has ended of itself and is
   * remembered, which may have no secret any more: of each owner the latest, as long as somebody
   * may renew them, in memory until a restart.
   *
   * @return null where there is none
   * @throws Surroundings.Unavailable where the store does not answer
   */
  @Nullable SecurityContext renewable(String identifier);

  /**
   * Ends a context with all its instances. A secret that is in memory elsewhere is overwritten;
   * that of the caller's own object is left to the caller, who may need it for the answer.
   */
  CancelOutcome end(SecurityContext context);

  /** A context that can be used now: not expired, not ended. */
  @Override
  @Nullable SecurityContext find(String identifier, @Nullable String instance);

  /** How many there are, about; never throws. */
  int live();

  /** What is wrong with the store, one line; null where nothing is. */
  @Nullable String trouble();

  @Override
  void close();
}
