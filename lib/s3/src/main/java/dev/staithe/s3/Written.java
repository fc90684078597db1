package dev.staithe.s3;

/** What came of a write. */
public sealed interface Written {
  /** It is there, with that entity tag. */
  record Stored(String etag) implements Written {}

  /** Its condition does not hold, and nothing changed. */
  record ConditionFailed() implements Written {}

  /** What was to be copied is gone or another; or the upload to be completed is not there. */
  record SourceMissing() implements Written {}
}
