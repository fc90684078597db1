package dev.staithe.storage.remote;

import dev.staithe.http.HeaderField;
import dev.staithe.http.ResponseHead;
import dev.staithe.storage.exchange.Dates;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Removes what a push began at its destination, by a request of its own and within a time. */
public final class RemoteRemoval {
  /** By so much may the clocks differ that a server's files and its answers are dated by. */
  private static final Duration SLACK = Duration.ofMinutes(1);

  private RemoteRemoval() {}

  /** What is done there; returns words for the failure's line, null where it is gone. */
  private interface Deed {
    @Nullable String in(RemoteSession cleaning) throws IOException;
  }

  /**
   * Removes what the destination took; returns words for the failure's line, none where it is gone.
   *
   * @param etag strong, of what is to be removed and nothing that came after it; null: whatever is
   *     there
   */
  public static String ofTaken(RemoteSession session, @Nullable String etag) {
    return perform(session, cleaning -> delete(cleaning, etag));
  }

  /**
   * Removes what the destination did not take, where a part of it is there. A server that shows
   * files once they are whole has the one of before in its place, which is told by its date.
   *
   * @param begun when the first byte was sent, by {@link System#nanoTime}
   */
  public static String ofBegun(RemoteSession session, long begun) {
    return perform(
        session,
        cleaning -> {
          ResponseHead head = cleaning.request("HEAD", List.of(RemoteSession.IDENTITY)).head();
          if (isGone(head)) {
            return null;
          }
          if (isOlder(head, Duration.ofNanos(System.nanoTime() - begun))) {
            return "; the file of before is still there";
          }
          // Not by the tag that it has now: that of a file which is still written changes.
          return delete(cleaning, null);
        });
  }

  private static String perform(RemoteSession session, Deed deed) {
    session.dropConnection();
    session.progress().cleanUp();
    Duration limit = session.settings().timeouts().cleanUp();
    AtomicReference<@Nullable String> words = new AtomicReference<>(failed("no answer"));
    RemoteSession cleaning = session.another();
    Thread thread =
        Thread.ofVirtual()
            .name("copy-clean-up")
            .start(
                () -> {
                  try (cleaning) {
                    words.set(deed.in(cleaning));
                  } catch (IOException e) {
                    words.set(failed(e.getMessage()));
                  }
                });
    try {
      if (!thread.join(limit)) {
        cleaning.abort("no answer within " + limit.toSeconds() + " s");
        thread.join(limit);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    String told = words.get();
    return told == null ? "" : told;
  }

  private static String failed(@Nullable String why) {
    return "; removing the destination failed: " + why;
  }

  private static boolean isOlder(ResponseHead head, Duration age) {
    if (head.status() != 200) {
      return false;
    }
    Optional<Instant> now = Optional.ofNullable(head.field("Date")).flatMap(Dates::parse);
    Optional<Instant> changed =
        Optional.ofNullable(head.field("Last-Modified")).flatMap(Dates::parse);
    return now.isPresent()
        && changed.isPresent()
        && changed.get().isBefore(now.get().minus(age).minus(SLACK));
  }

  private static boolean isGone(ResponseHead head) {
    return head.status() == 404 || head.status() == 410;
  }

  private static @Nullable String delete(RemoteSession cleaning, @Nullable String etag)
      throws IOException {
    List<HeaderField> condition =
        etag == null ? List.of() : List.of(new HeaderField("If-Match", etag));
    ResponseHead head = cleaning.request("DELETE", condition).head();
    return head.status() < 300 || isGone(head) ? null : failed(RemoteFailure.statusLine(head));
  }
}
