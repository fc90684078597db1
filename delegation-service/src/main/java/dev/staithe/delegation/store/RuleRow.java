package dev.staithe.delegation.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may acquire what.
 *
 * @param acquirers subjects as RFC 4514 writes them
 * @param uses null: any number
 * @param longestSeconds lifetime of each proxy
 */
public record RuleRow(
    List<String> acquirers,
    @Nullable Integer uses,
    int hops,
    boolean limited,
    long longestSeconds) {
  /** Copies the list. */
  public RuleRow {
    acquirers = List.copyOf(acquirers);
  }
}
