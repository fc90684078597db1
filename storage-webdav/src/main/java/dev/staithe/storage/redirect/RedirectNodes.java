package dev.staithe.storage.redirect;

import dev.staithe.http.BoundedFetch;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
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
  private final ScheduledExecutorService schedule =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("redirect-nodes").factory());
  private final Set<URI> well = ConcurrentHashMap.newKeySet();
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * Begins to ask the nodes.
   *
   * @param nodes each {@code https://host:port}
   * @param period between two questions to a node
   */
  RedirectNodes(List<URI> nodes, SSLContext tls, Duration period) {
    this.nodes = List.copyOf(nodes);
    this.client = BoundedFetch.client(tls, LONGEST_ANSWER);
    schedule.scheduleWithFixedDelay(
        () -> this.nodes.forEach(this::ask), 0, period.toMillis(), TimeUnit.MILLISECONDS);
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
    HttpRequest request =
        HttpRequest.newBuilder(node.resolve(HEALTH)).timeout(LONGEST_ANSWER).build();
    client
        .sendAsync(request, HttpResponse.BodyHandlers.discarding())
        // The request's own timeout ends with the head.
        .orTimeout(LONGEST_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (answer, failure) -> note(node, failure == null && answer.statusCode() == 200));
  }

  private void note(URI node, boolean isWell) {
    if (isWell ? well.add(node) : well.remove(node)) {
      log.info(
          "data node {} is {}", node, isWell ? "well" : "left out: it does not say it is well");
    }
  }

  @Override
  public void close() {
    schedule.shutdownNow();
    client.shutdownNow();
  }
}
