package dev.staithe.storage.redirect;

import dev.staithe.http.BoundedFetch;
import dev.staithe.service.process.Chores;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data nodes, of which those that say that they are well take turns. They are asked in the
 * background; until a node has answered for the first time it gets nobody. Safe for many threads.
 */
final class RedirectNodes implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedirectNodes.class);
  private static final String HEALTH = "/.staithe/health/status";
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);

  private final List<URI> nodes;
  private final HttpClient client;
  private final Duration longest;
  private final Chores chores = new Chores("redirect-nodes");
  private final Set<URI> well = ConcurrentHashMap.newKeySet();
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * Begins to ask the nodes.
   *
   * @param nodes each {@code https://host:port}
   * @param period between two questions to a node
   */
  RedirectNodes(List<URI> nodes, SSLContext tls, Duration period) {
    this(nodes, tls, period, LONGEST_ANSWER);
  }

  /**
   * The same.
   *
   * @param longest time until a node has answered
   */
  RedirectNodes(List<URI> nodes, SSLContext tls, Duration period, Duration longest) {
    this.nodes = List.copyOf(nodes);
    this.client = BoundedFetch.client(tls, longest);
    this.longest = longest;
    chores.nowAndEvery(period, "asking the data nodes", () -> this.nodes.forEach(this::ask));
  }

  /** The node whose turn it is; none where none is well. */
  Optional<URI> next() {
    int first = Math.floorMod(turn.getAndIncrement(), nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      URI node = nodes.get((first + i) % nodes.size());
      if (well.contains(node)) {
        return Optional.of(node);
      }
    }
    return Optional.empty();
  }

  private void ask(URI node) {
    HttpRequest request = HttpRequest.newBuilder(node.resolve(HEALTH)).timeout(longest).build();
    CompletableFuture<HttpResponse<Void>> asked =
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    asked
        .copy()
        // The request's own timeout ends with the head.
        .orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (answer, failure) -> {
              asked.cancel(true); // A body that drips would else keep its connection.
              note(node, failure == null && answer.statusCode() == 200);
            });
  }

  private void note(URI node, boolean isWell) {
    if (isWell ? well.add(node) : well.remove(node)) {
      log.info(
          "data node {} is {}", node, isWell ? "well" : "left out: it does not say it is well");
    }
  }

  @Override
  public void close() {
    chores.close();
    client.shutdownNow();
  }
}
