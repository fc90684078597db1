package dev.staithe.storage.files;

/**
 * Where the content of an area's files may be. A mass storage that moves content to tape leaves the
 * file under its name, with its length and without its blocks.
 */
public enum Residence {
  /** On disk. */
  DISK,
  /**
   * On tape too, or there alone: a file with a hole is not read, for its zeros would be taken for
   * its content. File systems that do not count blocks as they are, because they compress, do not
   * fit.
   */
  TAPE
}
