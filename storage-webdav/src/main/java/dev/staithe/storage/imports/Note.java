package dev.staithe.storage.imports;

/**
 * Something that has no counterpart, or another one than might be thought.
 *
 * @param where file, and the line or key in it
 * @param what became of it and what to do
 */
public record Note(String where, String what) {
  @Override
  public String toString() {
    return where + ": " + what;
  }
}
