package dev.staithe.storage;

import dev.staithe.storage.dav.DavHandler;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Has the storage namespace answer at once, on the thread that read the request, what waits for
 * nothing; everything else goes to a virtual thread of its own, which may block (ADR 66).
 */
final class SmallFirst extends Handler.Wrapper {
  private final DavHandler storage;
  private final Executor blocking =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("request-", 0).factory());

  /**
   * @param around the storage namespace with all that is in front of it
   */
  SmallFirst(DavHandler storage, Handler around) {
    super(around);
    this.storage = storage;
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    if (!storage.answersAtOnce(request, response, callback)) {
      blocking.execute(() -> handOn(request, response, callback));
    }
    return true;
  }

  private void handOn(Request request, Response response, Callback callback) {
    try {
      if (!super.handle(request, response, callback)) {
        Response.writeError(request, response, callback, 404);
      }
    } catch (Throwable e) { // Nobody else answers for this thread: an Error would be a silence.
      Response.writeError(request, response, callback, e);
    }
  }
}
