package dev.staithe.service;

import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/** The name of a request in whatever is logged of it: the client's own where it is safe to log. */
public final class RequestId {
  /** Where a client proposes one, and where every answer tells it. */
  public static final String HEADER = "X-Request-Id";

  private static final String ATTRIBUTE = "dev.staithe.request-id";
  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

  private RequestId() {}

  /** Names a request, for {@link #of} and in the answer's header. */
  public static String assign(Request request, Response response) {
    String proposed = request.getHeaders().get(HEADER);
    String id =
        proposed != null && SAFE.matcher(proposed).matches()
            ? proposed
            : Long.toHexString(ThreadLocalRandom.current().nextLong());
    request.setAttribute(ATTRIBUTE, id);
    response.getHeaders().put(HEADER, id);
    return id;
  }

  /** The name that was assigned; null for none. */
  public static @Nullable String of(Request request) {
    return (String) request.getAttribute(ATTRIBUTE);
  }
}
