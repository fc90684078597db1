package dev.staithe.storage.exchange;

import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.server.Request;

/**
 * The parameters of a request's target. Immutable.
 *
 * @param parameters each {@code name} or {@code name=value}, as they are written there
 */
public record Query(List<String> parameters) {
  /** Who has it wants to be answered by the server that it asks. */
  public static final String NO_REDIRECT = "no_redirect";

  /** Takes a copy. */
  public Query {
    parameters = List.copyOf(parameters);
  }

  /** Those of that request; none where it has no query. */
  public static Query of(Request request) {
    String query = request.getHttpURI().getQuery();
    return new Query(query == null ? List.of() : Arrays.asList(query.split("&")));
  }

  /** Whether it is there, with a value or without. */
  public boolean has(String name) {
    return parameters.stream().anyMatch(p -> p.equals(name) || p.startsWith(name + "="));
  }

  /** The values of that name, in order. */
  public List<String> all(String name) {
    return parameters.stream()
        .filter(p -> p.startsWith(name + "="))
        .map(p -> p.substring(name.length() + 1))
        .toList();
  }

  /** Without the values, among which may be credentials. */
  @Override
  public String toString() {
    return "Query of " + parameters.size() + " parameters";
  }
}
