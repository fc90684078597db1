package dev.staithe.storage.files;

/** Why the store does not do what it was asked; each has one HTTP status in {@code dav}. */
public enum Refusal {
  /** Nothing is there, or it lies outside the area by way of a symbolic link. */
  NOT_FOUND,
  /** The enclosing collection does not exist (RFC 4918: 409). */
  PARENT_MISSING,
  /** Something is there already. */
  EXISTS,
  /** A collection stands where a file is wanted. */
  IS_COLLECTION,
  /** A file stands where a collection is wanted. */
  NOT_COLLECTION,
  /** The file system is full or the quota is used up. */
  NO_SPACE,
  /** The collection still has members. */
  NOT_EMPTY,
  /** The operating system refuses access to the service's user. */
  ACCESS_DENIED,
  /** The name is not possible on this file system. */
  BAD_NAME,
  /** The state of the file does not allow it, such as a range beyond its end. */
  CONFLICT
}
