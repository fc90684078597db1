package dev.staithe.delegation.door;

import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Takes one slash of two from the beginning of a path: FTS's own client writes all its paths so. An
 * empty segment anywhere else is refused, as without this. Stands in front of the servlets, so that
 * all of them see one path. Thread-safe.
 */
public final class LeadingSlashes extends Handler.Wrapper {
  /** What the server must let pass for this to see it. */
  public static final UriCompliance PATHS =
      UriCompliance.DEFAULT.with("FTS", Violation.AMBIGUOUS_EMPTY_SEGMENT);

  /** In front of that handler. */
  public LeadingSlashes(Handler servlets) {
    super(servlets);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    HttpURI uri = request.getHttpURI();
    if (!uri.hasViolation(Violation.AMBIGUOUS_EMPTY_SEGMENT)) {
      return super.handle(request, response, callback);
    }
    String path = uri.getPath();
    if (path != null && isPlain(path)) {
      HttpURI one = HttpURI.build(uri, path.substring(1), null, uri.getQuery());
      return super.handle(Request.serveAs(request, one), response, callback);
    }
    Response.writeError(request, response, callback, HttpStatus.BAD_REQUEST_400);
    return true;
  }

  /** Nothing more is unusual: no third slash, no dot segment, no parameter. */
  private static boolean isPlain(String path) {
    return path.startsWith("//")
        && path.indexOf("//", 1) < 0
        && !path.contains("/.")
        && !path.contains(";");
  }
}
