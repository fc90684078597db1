package dev.staithe.storage.redirect;

import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.server.Request;

/**
 * The parameters of a request's target.
 *
 * @param parameters each {@code name} or {@code name=value}, as they are written there
 */
record Query(List<String> parameters) {
  /** The parameter that holds a ticket. */
  static final String TICKET = "ticket";

  Query {
    parameters = List.copyOf(parameters);
  }

  static Query of(Request request) {
    String query = request.getHttpURI().getQuery();
    return new Query(query == null ? List.of() : Arrays.asList(query.split("&")));
  }

  boolean has(String name) {
    return parameters.stream().anyMatch(p -> p.equals(name) || p.startsWith(name + "="));
  }

  List<String> all(String name) {
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
