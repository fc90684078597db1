package dev.staithe.storage.remote;

import dev.staithe.http.HeaderField;
import dev.staithe.http.ResponseHead;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Removes what a push began at its destination, by a request of its own and within a time. */
public final class RemoteRemoval {
  private RemoteRemoval() {}

  /**
   * Removes it; returns words for the failure's line, none where it is gone.
   *
   * @param etag strong, of what is to be removed and nothing that came after it; null: whatever is
   *     there
   */
  public static String of(RemoteSession session, @Nullable String etag) {
    session.dropConnection();
    session.progress().cleanUp();
    Duration limit = session.settings().timeouts().cleanUp();
    AtomicReference<@Nullable String> problem = new AtomicReference<>("no answer");
    RemoteSession cleaning = session.another();
    Thread thread =
        Thread.ofVirtual()
            .name("copy-clean-up")
            .start(
                () -> {
                  try (cleaning) {
                    problem.set(delete(cleaning, etag));
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
    String told = problem.get();
    return told == null ? "" : "; removing the destination failed: " + told;
  }

  private static @Nullable String delete(RemoteSession cleaning, @Nullable String etag) {
    try {
      List<HeaderField> condition =
          etag == null ? List.of() : List.of(new HeaderField("If-Match", etag));
      ResponseHead head = cleaning.request("DELETE", condition).head();
      boolean gone = head.status() < 300 || head.status() == 404 || head.status() == 410;
      return gone ? null : RemoteFailure.statusLine(head);
    } catch (IOException e) {
      return e.getMessage();
    }
  }
}
