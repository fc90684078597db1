package dev.staithe.s3;

import java.util.List;

/**
 * The parts of an upload that the engine has; another writer goes on behind them.
 *
 * @param etags of the parts, in their order
 */
public record SentParts(PartUpload upload, List<String> etags) {
  /** Takes a copy. */
  public SentParts {
    etags = List.copyOf(etags);
  }
}
