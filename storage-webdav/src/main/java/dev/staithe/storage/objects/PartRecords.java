package dev.staithe.storage.objects;

import dev.staithe.s3.PartUpload;
import dev.staithe.s3.SentParts;
import dev.staithe.storage.files.PartialUploads.Partial;
import dev.staithe.storage.state.PartialText;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of uploads over several requests, each a small file of this server that is replaced
 * whole: what it names is in the engine by then. Safe for many threads, one for each upload.
 */
final class PartRecords {
  private static final Logger log = LoggerFactory.getLogger(PartRecords.class);
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final int OWN_LINES = 5;

  private final StateFolder folder;
  private final ObjectKeys keys;

  /** Uses that folder, which is nobody else's; what a crash left of a write goes. */
  PartRecords(Path folder, Sync sync, ObjectKeys keys) throws IOException {
    this.folder = new StateFolder(folder, sync);
    this.keys = keys;
    for (String name : this.folder.names()) {
      if (!ID.matcher(name).matches()) {
        this.folder.remove(name);
      }
    }
  }

  /**
   * What is kept of one.
   *
   * @param planned bytes that were announced when it began, which its parts are made for, or -1
   * @param sent parts that the engine has; null where it has none
   * @param sentBytes bytes in them
   * @param rest bytes behind them, which are an object of their own
   * @param restSum Adler-32 of these
   * @param sums of all bytes: {@link CarriedChecksums#text}
   */
  record Kept(
      Partial partial,
      long planned,
      @Nullable SentParts sent,
      long sentBytes,
      long rest,
      int restSum,
      String sums) {

    /** One that has just begun. */
    static Kept begun(Partial partial, CarriedChecksums sums) {
      return new Kept(partial, partial.length(), null, 0, 0, 1, sums.text());
    }

    /** The same bytes of what has become known more of. */
    Kept with(Partial other) {
      return new Kept(other, planned, sent, sentBytes, rest, restSum, sums);
    }

    /** The same when it is a file. */
    Kept completed() {
      Partial whole = partial.withLength(offset()).completed();
      return new Kept(whole, planned, null, offset(), 0, 1, sums);
    }

    /** Bytes that have come. */
    long offset() {
      return sentBytes + rest;
    }

    private List<String> lines() {
      List<String> lines = new ArrayList<>(PartialText.of(partial));
      lines.add(Long.toString(planned));
      lines.add(sentBytes + " " + rest + " " + Integer.toUnsignedString(restSum, 16));
      lines.add(sums);
      lines.add(sent == null ? "" : sent.upload().id());
      lines.add(sent == null ? "" : sent.upload().mark());
      if (sent != null) {
        lines.addAll(sent.etags());
      }
      return lines;
    }
  }

  /** Replaces what is known. */
  void write(Kept kept) throws IOException {
    folder.write(kept.partial().id(), String.join("\n", kept.lines()));
  }

  /** What is known of that upload, if anything is. */
  Optional<Kept> read(String id) throws IOException {
    if (!ID.matcher(id).matches()) {
      return Optional.empty();
    }
    Optional<String> text = folder.read(id);
    return text.isEmpty() ? Optional.empty() : Optional.of(parsed(id, text.get()));
  }

  private Kept parsed(String id, String text) throws IOException {
    try {
      List<String> lines = List.of(text.split("\n", -1));
      Partial partial = PartialText.read(id, lines.subList(0, PartialText.LINES));
      List<String> own = lines.subList(PartialText.LINES, lines.size());
      String[] bytes = own.get(1).split(" ");
      return new Kept(
          partial,
          Long.parseLong(own.get(0)),
          own.get(3).isEmpty()
              ? null
              : new SentParts(
                  new PartUpload(keys.file(partial.target()), own.get(3), own.get(4)),
                  own.subList(OWN_LINES, own.size())),
          Long.parseLong(bytes[0]),
          Long.parseLong(bytes[1]),
          Integer.parseUnsignedInt(bytes[2], 16),
          own.get(2));
    } catch (RuntimeException e) {
      throw new IOException("the record of an upload is broken", e);
    }
  }

  /** Forgets it; false where nothing was known of it. */
  boolean remove(String id) throws IOException {
    return folder.remove(id);
  }

  /** All that can be read. */
  List<Kept> all() throws IOException {
    List<Kept> all = new ArrayList<>();
    for (String name : folder.names()) {
      try {
        read(name).ifPresent(all::add);
      } catch (IOException broken) {
        log.warn("the record of upload {} cannot be read: {}", name, broken.toString());
      }
    }
    return all;
  }

  /** Ids of the uploads that are known, readable or not. */
  Set<String> ids() throws IOException {
    return Set.copyOf(folder.names());
  }

  /** By which the engine knows what they have there. */
  Set<String> engineIds() throws IOException {
    return all().stream()
        .map(Kept::sent)
        .filter(Objects::nonNull)
        .map(sent -> sent.upload().id())
        .collect(Collectors.toSet());
  }
}
