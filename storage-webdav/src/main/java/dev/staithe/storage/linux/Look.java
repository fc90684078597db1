package dev.staithe.storage.linux;

/** What one walk along a way finds, where no part of it is a link. */
public sealed interface Look {
  /** Something is there, and is no link. */
  record Found(FileStatus status) implements Look {}

  /** What else may come of it. */
  enum Other implements Look {
    /** Nothing has the name, or a folder on the way is missing. */
    NOTHING,
    /** A link is in the way, or the walk failed: by {@link Descriptors#folder} one finds out. */
    UNCLEAR
  }
}
