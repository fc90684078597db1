package dev.staithe.storage.files;

import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.io.IOException;

/** A checksum was asked for that the bytes, which cannot be read again yet, were not counted by. */
public final class LateChecksumException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Of that algorithm. */
  public LateChecksumException(ChecksumAlgorithm algorithm) {
    super(
        "this area does not compute "
            + algorithm.rfc3230Name()
            + " of bytes that have come already: state it before them, or ask for it afterwards");
  }
}
