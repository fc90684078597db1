package dev.staithe.storage;

import dev.staithe.service.RequestId;
import dev.staithe.storage.settings.CorsProperties;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.CrossOriginHandler;

/**
 * Lets scripts of listed origins call the storage element from a browser (the CORS protocol of the
 * Fetch standard). A preflight is answered before any credential is looked at, since browsers send
 * none with it; the request that follows is authorized like any other.
 *
 * <p>{@code Access-Control-Allow-Credentials} is never sent: a script must bring its token itself,
 * so that no page can ride on what a browser knows.
 */
final class CrossOrigin {
  private static final Set<String> METHODS =
      Set.of(
          "GET",
          "HEAD",
          "PUT",
          "PATCH",
          "DELETE",
          "MKCOL",
          "COPY",
          "MOVE",
          "OPTIONS",
          "PROPFIND",
          "PROPPATCH",
          "LOCK",
          "UNLOCK");

  /**
   * The asterisk stands for all but {@code Authorization}: {@code TransferHeader…} can be any. The
   * others are named for browsers that do not know it.
   */
  private static final Set<String> REQUEST_HEADERS =
      Set.of(
          "*",
          "Authorization",
          "Content-Type",
          "Content-Range",
          "Credential",
          "Depth",
          "Destination",
          "Digest",
          "If",
          "If-Match",
          "If-None-Match",
          "If-Range",
          "Lock-Token",
          "Overwrite",
          "Range",
          "Repr-Digest",
          "RequireChecksumVerification",
          "RequireContract",
          "Source",
          "Timeout",
          "TransferHeaderAuthorization",
          "Upload-Complete",
          "Upload-Offset",
          "Want-Digest",
          "Want-Repr-Digest",
          RequestId.HEADER);

  private static final Set<String> RESPONSE_HEADERS =
      Set.of(
          "Accept-Ranges",
          "Allow",
          "Content-Length",
          "Content-Range",
          "DAV",
          "Digest",
          "ETag",
          "Location",
          "Lock-Token",
          "Repr-Digest",
          "Retry-After",
          "Upload-Complete",
          "Upload-Limit",
          "Upload-Offset",
          "WWW-Authenticate",
          RequestId.HEADER);

  private CrossOrigin() {}

  /** Puts the rules in front of {@code storage}, or nothing where no origin is listed. */
  static Handler around(Handler storage, CorsProperties settings) {
    if (settings.origins().isEmpty()) {
      return storage;
    }
    CrossOriginHandler rules = new CrossOriginHandler();
    rules.setAllowCredentials(false);
    rules.setAllowedMethods(METHODS);
    rules.setAllowedHeaders(REQUEST_HEADERS);
    rules.setExposedHeaders(RESPONSE_HEADERS);
    rules.setPreflightMaxAge(Duration.ofMinutes(10));
    // What Jetty takes are patterns, in which a dot would be any character.
    rules.setAllowedOriginPatterns(
        settings.origins().stream()
            .map(origin -> origin.equals("*") ? origin : Pattern.quote(origin))
            .collect(Collectors.toUnmodifiableSet()));
    rules.setHandler(storage);
    return rules;
  }
}
