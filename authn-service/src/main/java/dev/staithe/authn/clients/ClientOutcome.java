package dev.staithe.authn.clients;

import org.jspecify.annotations.Nullable;

/** What came of a step in the administration of clients. */
public sealed interface ClientOutcome {
  /**
   * Registered, or given a new secret.
   *
   * @param client as it is now
   * @param secret shown this once: only its digest is kept; null for a client without one
   */
  record Done(Client client, @Nullable String secret) implements ClientOutcome {
    /** Without the secret. */
    @Override
    public String toString() {
      return "Done[" + client.id() + "]";
    }
  }

  /** Deleted with its tokens and what users agreed to. */
  record Deleted(Client client) implements ClientOutcome {}

  /** There is no such client. */
  record Unknown(String id) implements ClientOutcome {}

  /** There is one of that id. */
  record Exists(String id) implements ClientOutcome {}

  /** Not allowed as it was asked; the reason is one line, safe to show. */
  record Invalid(String reason) implements ClientOutcome {}
}
