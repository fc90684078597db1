package dev.staithe.slcs.saml.response;

import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.SessionRows;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of a response. */
public sealed interface Judgement {
  /**
   * Somebody is logged in.
   *
   * @param sent the request that is answered, and is used up
   * @param atMost how long the provider lets the session last
   */
  record Accepted(
      CampusIdentity identity, SessionRows.Link link, SentRequests.Sent sent, Duration atMost)
      implements Judgement {}

  /**
   * Nobody is.
   *
   * @param provider whose word it was, as far as that is known
   */
  record Refused(Refusal refusal, @Nullable String provider) implements Judgement {}
}
