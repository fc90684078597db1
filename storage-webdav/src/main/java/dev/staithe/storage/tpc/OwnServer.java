package dev.staithe.storage.tpc;

import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.OwnAuthorities;
import dev.staithe.storage.remote.RemoteUrl;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * This server as the passive party of a copy. Safe for use by many threads.
 *
 * @param names by which clients know it, besides the one that a request came to
 * @param areas what it serves
 * @param tokens judges the {@code Authorization} fields that a client wants to be sent there
 */
public record OwnServer(
    OwnAuthorities names, Areas areas, Function<List<String>, Identification> tokens) {

  /** Where the URL leads, if it leads into an area; its query names nothing here. */
  Optional<Areas.Place> place(RemoteUrl url) {
    return StoragePath.parse(url.path()) instanceof StoragePath.Parsed.Valid(StoragePath path)
        ? areas.locate(path)
        : Optional.empty();
  }
}
