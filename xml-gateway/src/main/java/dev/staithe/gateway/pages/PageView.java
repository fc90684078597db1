package dev.staithe.gateway.pages;

import dev.staithe.gateway.evidence.Evidence;
import dev.staithe.gateway.publish.PublishedPolicy;
import dev.staithe.gateway.route.Endpoint;
import dev.staithe.gateway.trust.ContextStore;
import dev.staithe.gateway.trust.ReplayCache;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows. All of it is thread-safe.
 *
 * @param name the gateway as its clients know it
 * @param lines endpoints in their order
 * @param contexts of conversations
 * @param contextsMost how many there may be
 * @param replays what must not come again
 * @param replaysMost how many are remembered; null where that is not this node's to say
 * @param evidence signed messages that are kept; null where none are
 * @param expiring certificates and revocation lists as they are now
 */
public record PageView(
    String name,
    List<Line> lines,
    ContextStore contexts,
    int contextsMost,
    ReplayCache replays,
    @Nullable Integer replaysMost,
    @Nullable Evidence evidence,
    Supplier<List<ExpiringItem>> expiring) {
  /** Keeps its own list. */
  public PageView {
    lines = List.copyOf(lines);
  }

  /**
   * One endpoint.
   *
   * @param policy in force, and what was refused since
   * @param engine as the configuration chooses it
   * @param evidence whether signed messages are to be kept
   */
  public record Line(Endpoint endpoint, PublishedPolicy policy, String engine, boolean evidence) {}
}
