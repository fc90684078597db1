package dev.staithe.perf.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of simulations by their name without the prefix {@code perf.}.
 *
 * @param source answers null for what nobody has said
 */
record Settings(Function<String, @Nullable String> source) {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([KM]i?B?|B)?");

  /**
   * System properties as {@code perf.token-file}, or else environment variables as {@code
   * PERF_TOKEN_FILE}.
   */
  static Function<String, @Nullable String> ofThisProcess() {
    return name -> {
      String property = System.getProperty(name);
      return property != null
          ? property
          : System.getenv(name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_'));
    };
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /**
   * The one word that a file holds.
   *
   * @param what for messages, as {@code token}
   */
  static String secret(String what, String file) {
    try {
      String word = Files.readString(Path.of(file)).strip();
      require(
          word.matches("[!-~]+"),
          "the %s file %s does not hold one %s".formatted(what, file, what));
      return word;
    } catch (IOException e) {
      throw new IllegalArgumentException("the %s file %s cannot be read".formatted(what, file), e);
    }
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(source.apply("perf." + name)).filter(text -> !text.isBlank());
  }

  /** Refuses what the simulation would leave aside without a word. */
  void refuse(String... names) {
    for (String name : names) {
      require(text(name).isEmpty(), "perf." + name + " is nothing that this simulation takes");
    }
  }

  double number(String name, double otherwise) {
    Optional<String> text = text(name);
    require(
        text.isEmpty() || text.get().matches("\\d{1,9}(\\.\\d{1,9})?"),
        "perf." + name + " is not a number");
    return text.map(Double::parseDouble).orElse(otherwise);
  }

  boolean flag(String name, boolean otherwise) {
    Optional<String> text = text(name);
    require(
        text.isEmpty() || text.get().matches("true|false"), "perf." + name + " is true or false");
    return text.map(Boolean::parseBoolean).orElse(otherwise);
  }

  /**
   * @param most bytes
   */
  int size(String name, int otherwise, int most) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    Matcher matcher = SIZE.matcher(text.get());
    require(matcher.matches(), "perf." + name + " is a size such as 4096, 64KiB or 8MiB");
    @Nullable String unit = matcher.group(2);
    int shift = unit == null || unit.startsWith("B") ? 0 : unit.startsWith("K") ? 10 : 20;
    long bytes = Long.parseLong(matcher.group(1)) << shift;
    require(bytes <= most, "perf." + name + " is at most " + (most >> 20) + "MiB");
    return (int) bytes;
  }
}
