package dev.staithe.storage.redirect;

import dev.staithe.storage.authz.ContractNeed;
import dev.staithe.storage.authz.Right;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a ticket says. It is a credential only together with its signature.
 *
 * @param method the only HTTP method that it is good for; POST, an offer, has its PUT behind it
 * @param path the only path of the request's target, as it is written there
 * @param rights what the holder may do with that method
 * @param need of files of the area
 * @param signer {@code host:port} whose contract an offer is; empty: it is none
 * @param label of the caller to whom it was given, for logs
 * @param group of that caller, for fair queues
 * @param expiresAt from then on it is refused; whole seconds
 * @param id random, different for each ticket
 */
record Ticket(
    String method,
    String path,
    Set<Right> rights,
    ContractNeed need,
    String signer,
    String label,
    String group,
    Instant expiresAt,
    String id) {
  /** Other uses of the same key would begin otherwise. */
  private static final String KIND = "staithe-ticket-5";

  private static final int FIELDS = 10;

  Ticket {
    rights = Set.copyOf(rights);
  }

  /** Whether it is good for a request by that method. */
  boolean covers(String requested) {
    return method.equals(requested) || method.equals("POST") && requested.equals("PUT");
  }

  /** The text that is signed: one field a line. */
  String text() {
    return String.join(
        "\n",
        KIND,
        method,
        path,
        rights.stream().map(Right::name).sorted().collect(Collectors.joining(",")),
        need.name(),
        signer.replace('\n', ' '),
        label.replace('\n', ' '),
        group.replace('\n', ' '),
        Long.toString(expiresAt.getEpochSecond()),
        id);
  }

  /** Reads a text that was signed by {@link #text}; nothing where it is another. */
  static Optional<Ticket> read(String text) {
    String[] fields = text.split("\n", -1);
    if (fields.length != FIELDS || !fields[0].equals(KIND)) {
      return Optional.empty();
    }
    try {
      Set<Right> rights = EnumSet.noneOf(Right.class);
      for (String right : fields[3].split(",")) {
        rights.add(Right.valueOf(right));
      }
      return Optional.of(
          new Ticket(
              fields[1],
              fields[2],
              rights,
              ContractNeed.valueOf(fields[4]),
              fields[5],
              fields[6],
              fields[7],
              Instant.ofEpochSecond(Long.parseLong(fields[8])),
              fields[9]));
    } catch (RuntimeException another) {
      return Optional.empty();
    }
  }
}
