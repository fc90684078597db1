package dev.staithe.s3;

/**
 * What must hold of a key for something to be written there; the engine judges it, at the moment of
 * the write.
 */
public sealed interface WriteCondition {
  /** Whatever is there is replaced. */
  WriteCondition NONE = new None();

  /** Nothing may be there. */
  WriteCondition ABSENT = new Absent();

  /** See {@link #NONE}. */
  record None() implements WriteCondition {}

  /** See {@link #ABSENT}. */
  record Absent() implements WriteCondition {}

  /** What is there must have that entity tag. */
  record Matching(String etag) implements WriteCondition {}
}
