package dev.staithe.perf.storage;

import dev.staithe.peers.process.LoopedFileSystem;
import dev.staithe.perf.harness.Areas;
import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Promised;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.stores.StaithePeer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Copies between two areas of one server on an XFS, where they share the blocks of their file: what
 * one of them takes, by size, beside what is promised.
 */
final class SharedBlocks implements AutoCloseable {
  private static final double PROMISED_SECONDS = 0.05;
  private static final int MEGABYTES = 2 << 10;
  private static final int COPIES = 20;
  private static final long GIB = 1L << 30;
  private static final int MODULUS = 65_521;

  private final Bench bench;
  private @Nullable LoopedFileSystem mounted;

  SharedBlocks(Bench bench) {
    this.bench = bench;
  }

  /** With a server of its own, on a file system of its own. */
  Trial trial(Draft draft, Cast cast) throws IOException {
    if (!LoopedFileSystem.obstacle().isEmpty()) {
      bench.remark("shared-blocks: " + LoopedFileSystem.obstacle() + ".");
      return draft.none();
    }
    Path folder = bench.newFolder("xfs");
    Path disk = folder.resolve("disk");
    mounted = LoopedFileSystem.makeXfs(folder.resolve("image"), disk, MEGABYTES);
    Path from = Files.createDirectory(disk.resolve("data"));
    Path to = Files.createDirectory(disk.resolve("second"));
    Optional<RunningPeer> server =
        cast.server(
            new StaithePeer(
                bench.site().repository(),
                StaithePeer.Variant.CONSCRYPT,
                "staithe-xfs",
                Areas.of(Areas.folder(from), Areas.folder(to))),
            bench.cores().server());
    if (server.isEmpty()) {
      return draft.none();
    }
    var ours =
        bench
            .contestant(
                "staithe",
                server.get(),
                point -> copy(server.get(), from, Long.parseLong(point.getOrDefault("size", "0"))))
            .after(() -> bench.files().deleteUploads(to));
    return draft.trial(List.of(ours, Promised.seconds(_ -> PROMISED_SECONDS)));
  }

  private Outcome copy(RunningPeer server, Path from, long size) throws IOException {
    String name = "file-" + size;
    if (!Files.exists(from.resolve(name))) {
      make(from.resolve(name), size);
    }
    return bench
        .perform(
            bench
                .request(server, Door.HTTPS, "COPY", "/second/put-{n}")
                .header("Source", server.door(Door.HTTPS).resolve(name).toString())
                .header("RequireChecksumVerification", "true")
                .copying(server.token())
                .requests(COPIES))
        .copied(size);
  }

  /**
   * A one at the beginning of each GiB, and holes between: as many extents as a file has that was
   * written in one go, or more. Its Adler-32 (RFC 1950 section 9) is kept as StoRM WebDAV keeps it,
   * since to read a TiB would take hours.
   */
  private static void make(Path file, long size) throws IOException {
    long low = 1;
    long high = 0;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < size; at += GIB) {
        channel.write(ByteBuffer.wrap(new byte[] {1}), at);
        low = (low + 1) % MODULUS;
        high = (high + Math.min(GIB, size - at) % MODULUS * low) % MODULUS;
      }
      channel.write(ByteBuffer.wrap(new byte[1]), size - 1);
      channel.force(true);
    }
    Files.getFileAttributeView(file, UserDefinedFileAttributeView.class)
        .write(
            "storm.checksum.adler32",
            StandardCharsets.US_ASCII.encode("%08x".formatted(high << 16 | low)));
  }

  @Override
  public void close() {
    if (mounted != null) {
      mounted.close();
    }
  }
}
