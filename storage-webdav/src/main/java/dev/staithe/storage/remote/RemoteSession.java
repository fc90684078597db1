package dev.staithe.storage.remote;

import dev.staithe.http.HeaderField;
import dev.staithe.http.HttpConnection;
import dev.staithe.http.HttpFailure;
import dev.staithe.http.ResponseHead;
import dev.staithe.storage.contracts.PullContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A series of requests for one copy: keeps one connection for the next request to the same server,
 * follows redirects, and decides what a server that the client did not name itself gets to see. For
 * one thread.
 */
public final class RemoteSession implements AutoCloseable {
  /** Asks for the bytes as they are: an encoded body has another length and checksum. */
  public static final HeaderField IDENTITY = new HeaderField("Accept-Encoding", "identity");

  /** Redirects followed at most. */
  static final int MAX_REDIRECTS = 20;

  /** What a server gets at most for the size that it tells itself. */
  private static final Duration MOST_FOR_SIZE = Duration.ofDays(1);

  /** What happens between a request's head and its final response. */
  public interface Exchange {
    /** Performs one request on the connection; called again after a redirect. */
    ResponseHead perform(HttpConnection connection, RemoteUrl url, List<HeaderField> forwarded)
        throws IOException;
  }

  /**
   * Where a request goes.
   *
   * @param trusted whether it gets to see what is for the server that the client named
   */
  public record Place(RemoteUrl url, boolean trusted) {}

  /**
   * A final response: no redirect, or one that is not followed.
   *
   * @param connection to read its body from
   * @param place that answered
   */
  public record Reply(HttpConnection connection, ResponseHead head, Place place) {}

  /** Whether to go where a redirect leads. */
  public interface Following {
    /**
     * Judges a redirect that could be followed; where it is not, it is the answer.
     *
     * @throws IOException where there is no way to go on
     */
    boolean to(RemoteUrl next) throws IOException;
  }

  private final RemoteClient client;
  private final CopyProgress progress;
  private final RemoteUrl start;
  private final @Nullable ActingAs as;
  private ForwardedHeaders forwarded;
  private @Nullable PullContract contract;
  private volatile @Nullable HttpConnection connection;

  /** Why no request is made any more. */
  private volatile @Nullable String aborted;

  private @Nullable RemoteUrl connectedTo;
  private boolean connectedAs;
  private long windowStart;
  private long windowBytes;

  /**
   * Opens nothing yet.
   *
   * @param as whose certificate the server that the client named sees; null: none
   */
  public RemoteSession(
      RemoteClient client,
      CopyProgress progress,
      RemoteUrl start,
      ForwardedHeaders forwarded,
      @Nullable ActingAs as) {
    this.client = client;
    this.progress = progress;
    this.start = start;
    this.forwarded = forwarded;
    this.as = as;
  }

  /** Asks for the file under contract, anew with each server that a redirect leads to. */
  public void under(PullContract with) {
    this.contract = with;
  }

  /** The file there is another now, so that what the client let it depend on is said no more. */
  public void conditionsMet() {
    forwarded = forwarded.withoutConditions();
  }

  /** Another session for the same copy, for a thread of its own. */
  public RemoteSession another() {
    RemoteSession another = new RemoteSession(client, progress, start, forwarded, as);
    another.contract = contract;
    return another;
  }

  /** How far the copy is. */
  public CopyProgress progress() {
    return progress;
  }

  /** By which it is made. */
  public CopySettings settings() {
    return client.settings();
  }

  /** Whose connections are used. */
  public RemoteClient client() {
    return client;
  }

  /** A request without a body, to the URL that the client named. */
  public Reply request(String method, List<HeaderField> own) throws IOException {
    return request(exchange(method, own, method.equals("GET") ? contract : null));
  }

  /** Asks by HEAD for a contract, of the URL that the client named; a redirect is the answer. */
  public Reply agree(List<HeaderField> own) throws IOException {
    return once(exchange("HEAD", own, contract));
  }

  private static Exchange exchange(
      String method, List<HeaderField> own, @Nullable PullContract with) {
    return (next, url, passOn) -> {
      // A condition of ours is no weaker than the client's; there are servers that refuse both.
      List<HeaderField> fields = new ArrayList<>(passOn);
      replace(fields, own);
      if (with != null) {
        askUnderContract(with, method, url, fields);
      }
      next.begin(method, false);
      next.send(head(method, url, fields));
      return next.receive();
    };
  }

  private static void askUnderContract(
      PullContract with, String method, RemoteUrl url, List<HeaderField> fields)
      throws RemoteFailure {
    try {
      replace(fields, with.ask(method, url.authority(), url.absolute(), fields));
    } catch (IOException refused) {
      throw new RemoteFailure(String.valueOf(refused.getMessage()), 403);
    }
  }

  /** Puts fields in the place of others with their names. */
  public static void replace(List<HeaderField> fields, List<HeaderField> by) {
    by.forEach(field -> fields.removeIf(old -> old.name().equalsIgnoreCase(field.name())));
    fields.addAll(by);
  }

  /** One exchange with the URL that the client named; a redirect is the answer. */
  Reply once(Exchange exchange) throws IOException {
    progress.refuseIfCancelled();
    refusePlainCredentials(start, true);
    return perform(exchange, start, true);
  }

  /** The URL that the client named. */
  public Place named() {
    return new Place(start, true);
  }

  /**
   * Like {@link #request(String, List)}, and again while the server answers 202: it is staging the
   * file or computing its checksum.
   *
   * @param size bytes of the file if known, for which the server gets more time, or 0
   */
  public Reply requestReady(String method, List<HeaderField> own, long size) throws IOException {
    CopySettings.Timeouts timeouts = client.settings().timeouts();
    long until =
        System.nanoTime()
            + timeouts.notReady().toNanos()
            + TimeUnit.SECONDS.toNanos(Math.min(size / (10L << 20), MOST_FOR_SIZE.toSeconds()));
    while (true) {
      Reply reply = request(method, own);
      if (reply.head().status() != 202) {
        return reply;
      }
      if (System.nanoTime() - until > 0) {
        throw RemoteFailure.late(
            start.hostPort() + " is still not ready: " + method + " gives 202");
      }
      progress.pause(timeouts.notReadyRetry());
    }
  }

  /**
   * Performs the exchange with the URL that the client named, and again where redirects lead.
   *
   * @throws RemoteFailure where there is no final response, or a redirect that is not to be
   *     followed
   */
  public Reply request(Exchange exchange) throws IOException {
    return request(exchange, named(), next -> true);
  }

  /**
   * The same, from where an earlier request of this session came.
   *
   * @param following which redirects are followed
   */
  public Reply request(Exchange exchange, Place from, Following following) throws IOException {
    RemoteUrl url = from.url();
    boolean trusted = from.trusted();
    for (int hop = 0; hop <= MAX_REDIRECTS; hop++) {
      progress.refuseIfCancelled();
      refusePlainCredentials(url, trusted);
      Reply reply = perform(exchange, url, trusted);
      if (!redirects(reply.head())) {
        return reply;
      }
      RemoteUrl next = target(url, reply.head());
      if (url.https() && !next.https()) {
        throw new RemoteFailure(
            "redirect from https to http refused: " + url.hostPort() + " to " + next.hostPort(),
            400);
      }
      if (!following.to(next)) {
        return reply;
      }
      if (!reply.connection().reusable()) {
        dropConnection();
      }
      // Once dropped, credentials stay dropped: the hop in between chose where we go.
      trusted &= next.sameOrigin(start);
      url = next;
    }
    throw new RemoteFailure("more than " + MAX_REDIRECTS + " redirects", 400);
  }

  /** The head of a request; {@code fields} holds all but those that every request has. */
  public static ByteBuffer head(String method, RemoteUrl url, List<HeaderField> fields) {
    StringBuilder text = new StringBuilder(512);
    text.append(method).append(' ').append(url.target()).append(" HTTP/1.1\r\n");
    text.append("Host: ").append(url.authority()).append("\r\n");
    text.append("User-Agent: Staithe\r\nAccept: */*\r\n");
    for (HeaderField field : fields) {
      text.append(field.name()).append(": ").append(field.value()).append("\r\n");
    }
    text.append("\r\n");
    return ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Whether it sends the client elsewhere. */
  private static boolean redirects(ResponseHead head) {
    return switch (head.status()) {
      case 300, 301, 302, 303, 307, 308 -> head.field("Location") != null;
      default -> false;
    };
  }

  private static RemoteUrl target(RemoteUrl from, ResponseHead head) throws RemoteFailure {
    String location = String.valueOf(head.field("Location"));
    return switch (from.resolve(location)) {
      case RemoteUrl.Parsed.Valid(RemoteUrl url) -> url;
      case RemoteUrl.Parsed.Invalid(String reason) ->
          throw new RemoteFailure(
              "redirect of " + from.hostPort() + " cannot be followed: " + reason, 400);
    };
  }

  private void refusePlainCredentials(RemoteUrl url, boolean trusted) throws RemoteFailure {
    if (trusted
        && !url.https()
        && !client.settings().credentialsOverPlainHttp()
        && forwarded.mayHoldCredentials()) {
      throw new RemoteFailure(
          "TransferHeader credentials are not sent to "
              + url.hostPort()
              + " over plain http; use https",
          400);
    }
  }

  private Reply perform(Exchange exchange, RemoteUrl url, boolean trusted) throws IOException {
    HttpConnection current = connectionTo(url, trusted, false);
    try {
      return perform(exchange, current, url, trusted);
    } catch (HttpFailure broken) {
      if (!current.wasStale()) {
        throw broken;
      }
      // The server closed a kept connection just as it was used again (RFC 9112 section 9.3.1).
      dropConnection();
    }
    return perform(exchange, connectionTo(url, trusted, true), url, trusted);
  }

  private Reply perform(Exchange exchange, HttpConnection on, RemoteUrl url, boolean trusted)
      throws IOException {
    beginWindow(on);
    ResponseHead head =
        exchange.perform(on, url, trusted ? forwarded.fields() : forwarded.harmless());
    // The wait for an answer has its own limit, and is no slowness of the bytes that follow.
    beginWindow(on);
    return new Reply(on, head, new Place(url, trusted));
  }

  private void beginWindow(HttpConnection current) {
    windowStart = current.socket().waited();
    windowBytes = 0;
  }

  private HttpConnection connectionTo(RemoteUrl url, boolean trusted, boolean anew)
      throws IOException {
    ActingAs shown = trusted ? as : null;
    HttpConnection kept = connection;
    if (kept != null
        && connectedTo != null
        && connectedTo.sameOrigin(url)
        && connectedAs == (shown != null)
        && kept.reusable()) {
      return kept;
    }
    dropConnection();
    HttpConnection fresh = client.open(url, progress, shown, anew);
    connection = fresh;
    connectedTo = url;
    connectedAs = shown != null;
    String why = aborted;
    if (why != null) {
      throw RemoteFailure.late(why);
    }
    return fresh;
  }

  /**
   * Counts bytes of a body, moved in either direction.
   *
   * @throws RemoteFailure where the other side is slower than the settings bear, measured over the
   *     time spent waiting for it: a slow disk here is not its fault
   */
  public void pace(HttpConnection current, long bytes) throws RemoteFailure {
    CopySettings.Timeouts timeouts = client.settings().timeouts();
    windowBytes += bytes;
    long waited = current.socket().waited();
    if (waited - windowStart < timeouts.slowWindow().toNanos()) {
      return;
    }
    if (windowBytes < timeouts.slowFloor() * ((waited - windowStart) / 1e9)) {
      throw RemoteFailure.late(
          (connectedTo == null ? start : connectedTo).hostPort()
              + " moved less than "
              + timeouts.slowFloor()
              + " bytes per second for "
              + HttpConnection.written(timeouts.slowWindow()));
    }
    beginWindow(current);
  }

  /**
   * Closes the connection under a thread that is blocked in it; where there is none yet, nothing is
   * asked once there is. From any thread.
   */
  public void abort(String reason) {
    aborted = reason;
    HttpConnection current = connection;
    if (current != null) {
      current.socket().abort(reason);
    }
  }

  /** Gives the connection up, whatever is under way on it. */
  public void dropConnection() {
    HttpConnection old = connection;
    connection = null;
    if (old != null) {
      RemoteClient.close(old.socket(), progress);
    }
  }

  /** The copy has succeeded: leaves the connection to the next one with that server. */
  public void rest() {
    HttpConnection old = connection;
    RemoteUrl with = connectedTo;
    if (old != null && with != null && !connectedAs) {
      connection = null;
      client.rest(old, with, progress);
    }
  }

  @Override
  public void close() {
    dropConnection();
  }
}
