package dev.staithe.storage.tpc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A series of requests for one copy: keeps one connection for the next request to the same server,
 * follows redirects, and decides what a server that the client did not name itself gets to see. For
 * one thread.
 */
final class RemoteSession implements AutoCloseable {
  /** Redirects followed at most. */
  static final int MAX_REDIRECTS = 20;

  /** What happens between a request's head and its final response. */
  interface Exchange {
    /** Performs one request on the connection; called again after a redirect. */
    ResponseHead perform(RemoteConnection connection, RemoteUrl url, List<HeaderField> forwarded)
        throws IOException;
  }

  /**
   * A final response that is no redirect.
   *
   * @param connection to read its body from
   */
  record Reply(RemoteConnection connection, ResponseHead head) {}

  private final RemoteClient client;
  private final CopyProgress progress;
  private final RemoteUrl start;
  private final ForwardedHeaders forwarded;
  private final @Nullable ActingAs as;
  private volatile @Nullable RemoteConnection connection;
  private @Nullable RemoteUrl connectedTo;
  private boolean connectedAs;

  /**
   * Opens nothing yet.
   *
   * @param as whose certificate the server that the client named sees; null: none
   */
  RemoteSession(
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

  /** Another session for the same copy, for a thread of its own. */
  RemoteSession another() {
    return new RemoteSession(client, progress, start, forwarded, as);
  }

  CopyProgress progress() {
    return progress;
  }

  CopySettings settings() {
    return client.settings();
  }

  RemoteClient client() {
    return client;
  }

  /** A request without a body, to the URL that the client named. */
  Reply request(String method, List<HeaderField> own) throws IOException {
    return request(
        (next, url, passOn) -> {
          List<HeaderField> fields = new ArrayList<>(own);
          fields.addAll(passOn);
          next.send(method, url, fields, false);
          return next.receive();
        });
  }

  /**
   * Like {@link #request(String, List)}, and again while the server answers 202: it is staging the
   * file or computing its checksum.
   *
   * @param size bytes of the file if known, for which the server gets more time, or 0
   */
  Reply requestReady(String method, List<HeaderField> own, long size) throws IOException {
    CopySettings.Timeouts timeouts = client.settings().timeouts();
    long until =
        System.nanoTime()
            + timeouts.notReady().toNanos()
            + TimeUnit.SECONDS.toNanos(size / (10L << 20));
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
  Reply request(Exchange exchange) throws IOException {
    RemoteUrl url = start;
    boolean trusted = true;
    for (int hop = 0; hop <= MAX_REDIRECTS; hop++) {
      progress.refuseIfCancelled();
      refusePlainCredentials(url, trusted);
      Reply reply = perform(exchange, url, trusted);
      if (!reply.head().redirects()) {
        return reply;
      }
      if (!reply.connection().reusable()) {
        dropConnection();
      }
      RemoteUrl next = target(url, reply.head());
      if (url.https() && !next.https()) {
        throw new RemoteFailure(
            "redirect from https to http refused: " + url.hostPort() + " to " + next.hostPort(),
            400);
      }
      // Once dropped, credentials stay dropped: the hop in between chose where we go.
      trusted &= next.sameOrigin(start);
      url = next;
    }
    throw new RemoteFailure("more than " + MAX_REDIRECTS + " redirects", 400);
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
    List<HeaderField> passOn = trusted ? forwarded.fields() : forwarded.harmless();
    RemoteConnection current = connectionTo(url, trusted);
    try {
      return new Reply(current, exchange.perform(current, url, passOn));
    } catch (RemoteFailure broken) {
      if (!current.wasStale() || progress.cancelled() != null) {
        throw broken;
      }
      // The server closed a kept connection just as it was used again (RFC 9112 section 9.3.1).
      dropConnection();
    }
    RemoteConnection fresh = connectionTo(url, trusted);
    return new Reply(fresh, exchange.perform(fresh, url, passOn));
  }

  private RemoteConnection connectionTo(RemoteUrl url, boolean trusted) throws IOException {
    ActingAs shown = trusted ? as : null;
    RemoteConnection kept = connection;
    if (kept != null
        && connectedTo != null
        && connectedTo.sameOrigin(url)
        && connectedAs == (shown != null)
        && kept.reusable()) {
      return kept;
    }
    dropConnection();
    RemoteConnection fresh = client.open(url, progress, shown);
    connection = fresh;
    connectedTo = url;
    connectedAs = shown != null;
    return fresh;
  }

  /** Closes the connection under a thread that is blocked in it; from any thread. */
  void abort(String reason) {
    RemoteConnection current = connection;
    if (current != null) {
      current.abort(reason);
    }
  }

  /** Gives the connection up, whatever is under way on it. */
  void dropConnection() {
    RemoteConnection old = connection;
    connection = null;
    if (old != null) {
      old.close();
    }
  }

  @Override
  public void close() {
    dropConnection();
  }
}
