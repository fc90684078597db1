package dev.staithe.storage.files;

/** Why the store does not do what it was asked; each has one HTTP status in {@code dav}. */
public enum Refusal {
  /** Nothing is there, or it lies outside the area by way of a symbolic link. */
  NOT_FOUND("there is no such file or collection"),
  /** The enclosing collection does not exist (RFC 4918: 409). */
  PARENT_MISSING("the enclosing collection does not exist"),
  /** Something is there already. */
  EXISTS("something is there already"),
  /** A collection stands where a file is wanted. */
  IS_COLLECTION("there is a collection at this path"),
  /** A file stands where a collection is wanted. */
  NOT_COLLECTION("there is a file at this path, not a collection"),
  /** The file system is full or the quota is used up. */
  NO_SPACE("not enough space in the storage area"),
  /** The collection still has members. */
  NOT_EMPTY("the collection is not empty"),
  /** The operating system refuses access to the service's user. */
  ACCESS_DENIED("the storage element may not access this path"),
  /** The name is not possible on this file system. */
  BAD_NAME("the name is not possible on this file system"),
  /** The state of the file does not allow it, such as a range beyond its end. */
  CONFLICT("the state of the file does not allow it"),
  /** A condition that the request makes does not hold, or does not hold any more. */
  CONDITION_FAILED("a condition of the request does not hold"),
  /** A lock is in the way. */
  LOCKED("the path is locked and its lock token was not submitted"),
  /** The caller, or all together, have as many as there may be. */
  TOO_MANY("there are too many of these"),
  /** The content is on tape alone. */
  OFFLINE("the file is on tape and not on disk: ask for it to be staged first"),
  /** The name is longer than the store can keep. */
  NAME_TOO_LONG("the path is longer than the store of this area can keep"),
  /** The store that keeps this area cannot do it, ever. */
  UNSUPPORTED("the store that keeps this area cannot do that"),
  /** The file system takes no change at all. */
  READ_ONLY("the storage area cannot be written at present");

  private final String text;

  Refusal(String text) {
    this.text = text;
  }

  /** One line for the caller. */
  public String text() {
    return text;
  }
}
