package dev.staithe.authn.store;

import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import java.time.Instant;
import java.util.List;

/** What waits to be written. Each may be written again without harm. */
sealed interface Write {
  /** When nobody needs it any more. */
  Instant expires();

  /** How much it adds to a batch. */
  default int rows() {
    return 1;
  }

  /** Keep a new session. */
  record Open(Session session) implements Write {
    @Override
    public Instant expires() {
      return session.expires();
    }
  }

  /** Append to the log, and forget the sessions that are ended so. */
  record End(List<Revocation> revocations) implements Write {
    @Override
    public Instant expires() {
      return revocations.stream().map(Revocation::expires).max(Instant::compareTo).orElseThrow();
    }

    @Override
    public int rows() {
      return revocations.size();
    }
  }

  /** Forget a session whose login was not acknowledged in time. */
  record Remove(Session session) implements Write {
    @Override
    public Instant expires() {
      return session.expires();
    }
  }

  /** Forget all, and begin an epoch. */
  record Begin(long epoch) implements Write {
    @Override
    public Instant expires() {
      return Instant.MAX;
    }

    /** Nothing shares its transaction. */
    @Override
    public int rows() {
      return GroupCommit.ROWS;
    }
  }
}
