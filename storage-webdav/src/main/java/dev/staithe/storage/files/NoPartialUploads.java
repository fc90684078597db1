package dev.staithe.storage.files;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Uploads in parts over several requests, of a store that takes none: all are refused. */
public final class NoPartialUploads implements PartialUploads {
  private static final String WHY =
      "the store of this area takes a file by one request: no upload in parts begins";

  @Override
  public Turn turn(String id) {
    return () -> {};
  }

  @Override
  public long open() {
    return 0;
  }

  @Override
  public Outcome<Partial> begin(Announced upload) {
    return new Outcome.Refused<>(Refusal.UNSUPPORTED, WHY);
  }

  @Override
  public Optional<Partial> find(String id) {
    return Optional.empty();
  }

  @Override
  public long offset(Partial partial) {
    return 0;
  }

  @Override
  public void record(Partial partial) {
    throw new UnsupportedOperationException(WHY);
  }

  @Override
  public Outcome<Appender> append(Partial partial) {
    return new Outcome.Refused<>(Refusal.UNSUPPORTED, WHY);
  }

  @Override
  public Map<ChecksumAlgorithm, Checksum> checksums(
      Partial partial, Set<ChecksumAlgorithm> algorithms) {
    return Map.of();
  }

  @Override
  public Outcome<FileEntry> finish(
      Partial partial, Consent consent, Collection<Checksum> checksums) {
    return new Outcome.Refused<>(Refusal.UNSUPPORTED, WHY);
  }

  @Override
  public void cancel(Partial partial) {
    // There is none.
  }

  @Override
  public void sweep() {
    // There is none.
  }

  @Override
  public Duration left(Partial partial) {
    return Duration.ZERO;
  }
}
