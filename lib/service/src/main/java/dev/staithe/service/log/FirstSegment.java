package dev.staithe.service.log;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Request;

/**
 * The part of a service that a request is for, by the first segment of its path, for the access log
 * and its metrics: one of few, whatever clients send.
 *
 * @param names the part for each first segment; all others are for {@value #PAGES}
 */
public record FirstSegment(Map<String, String> names) implements Function<Request, String> {
  private static final String PAGES = "pages";

  /** Parts that are named as the segment is. */
  public static FirstSegment of(String... segments) {
    return new FirstSegment(
        Arrays.stream(segments).collect(Collectors.toUnmodifiableMap(each -> each, each -> each)));
  }

  @Override
  public String apply(Request request) {
    return ofPath(String.valueOf(request.getHttpURI().getPath()));
  }

  /** By a path; slashes at its begin are as good as one, which is how FTS's client writes them. */
  public String ofPath(String path) {
    int begin = 0;
    while (begin < path.length() && path.charAt(begin) == '/') {
      begin++;
    }
    int slash = path.indexOf('/', begin);
    return names.getOrDefault(path.substring(begin, slash < 0 ? path.length() : slash), PAGES);
  }
}
