package dev.staithe.storage.files;

/**
 * What came of a request to the store.
 *
 * @param <T> what a success gives
 */
public sealed interface Outcome<T> {
  /** It is done. */
  record Done<T>(T value) implements Outcome<T> {}

  /** It was not done and nothing changed; {@code text} is one line, safe to show. */
  record Refused<T>(Refusal why, String text) implements Outcome<T> {
    /** A refusal in the words that are usual for it. */
    public static <T> Refused<T> of(Refusal why) {
      return new Refused<>(why, why.text());
    }

    /** The same refusal for another type of success. */
    public <U> Refused<U> as() {
      return new Refused<>(why, text);
    }
  }
}
