package dev.staithe.echo;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Says again what it was told, or what the next one makes of it, and for whom. Thread-safe. */
final class Echo {
  private final String name;

  Echo(String name) {
    this.name = name;
  }

  /**
   * The answer.
   *
   * @param user who calls; null where nobody knows
   * @param next asks the next one
   */
  String echo(String said, @Nullable String user, UnaryOperator<String> next) {
    String heard = next.apply(said);
    return user == null ? heard : heard + " | " + name + " for " + user;
  }
}
