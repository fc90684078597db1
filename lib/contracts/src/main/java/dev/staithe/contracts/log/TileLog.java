package dev.staithe.contracts.log;

import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.pki.AtomicFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An append-only log in files, as C2SP tlog-tiles lays them out. Entries are hashes of {@value
 * Hash#BYTES} bytes: what was hashed is kept elsewhere, and may be erased there. Each tile is one
 * file that grows; a partial tile is the beginning of it. What the checkpoint does not count was
 * never promised, and is written over. Where a checkpoint was written, and did not surely get to
 * the device, it may count or not: nothing is appended any more until the log is opened anew. Safe
 * for use by many threads, of one process.
 */
public final class TileLog implements Merkle.Nodes {
  private static final int WIDTH = 256;
  private static final int TILE_LEVELS = 8;
  private static final int LEVELS = 62;
  private static final int MOST_NODES = 4096;
  private static final int ENTRY_BYTES = 2 + Hash.BYTES;
  private static final String CHECKPOINT = "checkpoint";

  /** Of numbers of 15 digits at most: the entries before such a tile can be counted. */
  private static final Pattern TILE =
      Pattern.compile(
          "tile/(entries|[0-9])/((?:x[0-9]{3}/){0,4}[0-9]{3})(?:\\.p/([1-9][0-9]{0,2}))?");

  private final Path folder;
  private final LogKey key;
  private final Device device;

  /** Fair: who comes again waits behind those who leave, and finds others to be written with. */
  private final ReentrantLock writing = new ReentrantLock(true);

  private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final byte[] @Nullable [] frontier = new byte[LEVELS][];
  private volatile Checkpoint checkpoint;

  /** By what the wait for a checkpoint failed. */
  private @Nullable IOException lost;

  /**
   * Hashes of whole subtrees that were made or asked for last, by {@link #key}: an inclusion proof
   * of an entry that is new needs no tile.
   */
  private final Map<Long, byte[]> nodes =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, byte[]> eldest) {
              return size() > MOST_NODES;
            }
          });

  private static final class Waiting {
    final byte[] entry;
    volatile long index = -1;

    Waiting(byte[] entry) {
      this.entry = entry;
    }
  }

  /** What the names in a folder get to. */
  interface Device {
    /** Opens a folder, to wait for it. */
    Names open(Path folder) throws IOException;
  }

  /** A folder that is open. */
  interface Names extends AutoCloseable {
    /** Waits until its names are on the device. */
    void sync() throws IOException;

    @Override
    default void close() throws IOException {}
  }

  private record Opened(FileChannel folder) implements Names {
    @Override
    public void sync() throws IOException {
      folder.force(true);
    }

    @Override
    public void close() throws IOException {
      folder.close();
    }
  }

  private TileLog(Path folder, LogKey key, Device device, Checkpoint checkpoint) {
    this.folder = folder;
    this.key = key;
    this.device = device;
    this.checkpoint = checkpoint;
  }

  /**
   * Opens a log, or begins one, and reads all of it.
   *
   * @throws IOException with one line where it is not what its checkpoint says
   */
  public static TileLog open(Path folder, LogKey key) throws IOException {
    return open(folder, key, each -> new Opened(FileChannel.open(each, StandardOpenOption.READ)));
  }

  /** The same on a device that may fail. */
  static TileLog open(Path folder, LogKey key, Device device) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve(CHECKPOINT);
    Checkpoint checkpoint;
    if (Files.exists(file)) {
      try {
        checkpoint =
            Checkpoint.verify(Files.readString(file, StandardCharsets.UTF_8), key.verifier());
      } catch (BadSignature bad) {
        throw new IOException(file + ": " + bad.line());
      }
    } else if (Files.exists(folder.resolve("tile"))) {
      throw new IOException(folder + " has tiles and no checkpoint: restore it from a copy");
    } else {
      checkpoint = Checkpoint.sign(0, Hash.of(), key);
    }
    TileLog log = new TileLog(folder, key, device, checkpoint);
    log.check();
    return log;
  }

  /** Whether the tiles are those that the checkpoint commits to, and the way to go on. */
  private void check() throws IOException {
    long size = checkpoint.size();
    try {
      for (long at = 0; at < size; at += WIDTH) {
        int count = (int) Math.min(WIDTH, size - at);
        byte[] entries = read("entries", at / WIDTH, 0, count * ENTRY_BYTES);
        byte[] hashes = read("0", at / WIDTH, 0, count * Hash.BYTES);
        for (int i = 0; i < count; i++) {
          byte[] entry = Arrays.copyOfRange(entries, i * ENTRY_BYTES + 2, (i + 1) * ENTRY_BYTES);
          if (!Arrays.equals(Merkle.leaf(entry), part(hashes, i))) {
            throw new IOException("entry " + (at + i) + " is not what its tile says");
          }
        }
      }
      for (int level = 1; size >> level * TILE_LEVELS > 0; level++) {
        for (long i = 0; i < size >> level * TILE_LEVELS; i++) {
          byte[] below = combined(read(String.valueOf(level - 1), i, 0, WIDTH * Hash.BYTES));
          if (!Arrays.equals(below, stored(level * TILE_LEVELS, i))) {
            throw new IOException("tile " + i + " of level " + (level - 1) + " was changed");
          }
        }
      }
      if (!Arrays.equals(Merkle.root(this, size), checkpoint.root())) {
        throw new IOException("its tiles do not add up to its checkpoint");
      }
      for (int level = 0; level < LEVELS; level++) {
        if ((size >> level & 1) == 1) {
          frontier[level] = node(level, (size >> level) - 1);
        }
      }
    } catch (IOException broken) {
      throw new IOException(
          "the log in "
              + folder
              + " was changed or cut: "
              + broken.getMessage()
              + "; restore it from a copy",
          broken);
    }
  }

  /** What the log commits itself to now. */
  public Checkpoint checkpoint() {
    return checkpoint;
  }

  /** Bytes of all its tiles: entries, and the hashes above them. */
  public long bytes() {
    long size = checkpoint.size();
    long bytes = size * ENTRY_BYTES;
    for (long hashes = size; hashes > 0; hashes >>= TILE_LEVELS) {
      bytes += hashes * Hash.BYTES;
    }
    return bytes;
  }

  /** The public half of its key. */
  public LogVerifier verifier() {
    return key.verifier();
  }

  /**
   * Appends an entry; when this returns, it is on the device and a checkpoint commits to it. Those
   * who come at once are written together.
   *
   * @return its index
   * @throws IOException where it is not in the log; and always once a wait for a checkpoint failed
   */
  public long append(byte[] entry) throws IOException {
    if (entry.length != Hash.BYTES) {
      throw new IllegalArgumentException("an entry is a hash");
    }
    Waiting own = new Waiting(entry.clone());
    waiting.add(own);
    writing.lock();
    try {
      if (own.index < 0) {
        write();
      }
      return own.index;
    } finally {
      waiting.remove(own);
      writing.unlock();
    }
  }

  /** Bytes to be written into a tile, from an offset on. */
  private static final class Growth {
    final int from;
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Growth(int from) {
      this.from = from;
    }
  }

  private void write() throws IOException {
    if (lost != null) {
      throw new IOException(
          "a checkpoint in " + folder + " was not brought to the device before", lost);
    }
    // Who was written by another and has not left yet is in the log already.
    List<Waiting> all = waiting.stream().filter(each -> each.index < 0).toList();
    byte[] @Nullable [] edge = frontier.clone();
    Map<Path, Growth> growths = new LinkedHashMap<>();
    Map<Long, byte[]> fresh = new LinkedHashMap<>();
    long size = checkpoint.size();
    for (Waiting each : all) {
      ByteBuffer bundled = ByteBuffer.allocate(ENTRY_BYTES);
      bundled.putShort((short) Hash.BYTES).put(each.entry);
      grow(growths, "entries", size, bundled.array());
      byte[] hash = Merkle.leaf(each.entry);
      grow(growths, "0", size, hash);
      fresh.put(key(0, size), hash);
      int level = 0;
      while ((size >> level & 1) == 1) {
        byte[] left = edge[level];
        if (left == null) {
          throw new IllegalStateException("a log without its edge");
        }
        hash = Merkle.node(left, hash);
        edge[level] = null;
        level++;
        fresh.put(key(level, size >> level), hash);
        if (level % TILE_LEVELS == 0) {
          grow(growths, String.valueOf(level / TILE_LEVELS), size >> level, hash);
        }
      }
      edge[level] = hash;
      size++;
    }
    if (checkpoint.size() == 0) {
      // Else a log that is killed at its first entry looks as one whose checkpoint was taken away.
      keep(checkpoint);
      sync(folder);
    }
    for (Map.Entry<Path, Growth> growth : growths.entrySet()) {
      store(growth.getKey(), growth.getValue());
    }
    Checkpoint next = Checkpoint.sign(size, root(edge), key);
    // What cannot be opened for a moment, for want of descriptors, is no wait that failed.
    try (Names names = device.open(folder)) {
      keep(next);
      try {
        names.sync();
      } catch (IOException e) {
        // It is in its place, and counts what the next entries would be written over.
        lost = e;
        throw e;
      }
    }
    long index = checkpoint.size();
    System.arraycopy(edge, 0, frontier, 0, LEVELS);
    nodes.putAll(fresh);
    checkpoint = next;
    for (Waiting each : all) {
      each.index = index++;
    }
  }

  private void keep(Checkpoint next) throws IOException {
    AtomicFile.write(
        folder.resolve(CHECKPOINT), next.note().getBytes(StandardCharsets.UTF_8), "rw-r--r--");
  }

  private static byte[] root(byte[] @Nullable [] edge) {
    byte[] root = null;
    for (byte[] hash : edge) {
      if (hash != null) {
        root = root == null ? hash : Merkle.node(hash, root);
      }
    }
    return root == null ? Hash.of() : root;
  }

  private void grow(Map<Path, Growth> growths, String level, long index, byte[] bytes) {
    int at = (int) (index % WIDTH) * bytes.length;
    growths
        .computeIfAbsent(file(level, index / WIDTH), path -> new Growth(at))
        .bytes
        .writeBytes(bytes);
  }

  private void store(Path file, Growth growth) throws IOException {
    boolean fresh = growth.from == 0;
    Path parent = file.getParent();
    if (fresh && parent != null) {
      Files.createDirectories(parent);
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(growth.bytes.toByteArray());
      long at = growth.from;
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
      channel.force(false);
    }
    for (Path each = fresh ? parent : null;
        each != null && each.startsWith(folder);
        each = each.getParent()) {
      sync(each);
    }
  }

  private void sync(Path each) throws IOException {
    try (Names names = device.open(each)) {
      names.sync();
    }
  }

  private static long key(int level, long index) {
    return (long) level << LEVELS - TILE_LEVELS | index;
  }

  @Override
  public byte[] node(int level, long index) throws IOException {
    byte[] known = nodes.get(key(level, index));
    if (known == null) {
      known = stored(level, index);
      nodes.put(key(level, index), known);
    }
    return known;
  }

  private byte[] stored(int level, long index) throws IOException {
    int within = level % TILE_LEVELS;
    long first = index << within;
    return combined(
        read(
            String.valueOf(level / TILE_LEVELS),
            first / WIDTH,
            (int) (first % WIDTH) * Hash.BYTES,
            Hash.BYTES << within));
  }

  private static byte[] combined(byte[] hashes) {
    List<byte[]> row = new ArrayList<>();
    for (int i = 0; i < hashes.length / Hash.BYTES; i++) {
      row.add(part(hashes, i));
    }
    while (row.size() > 1) {
      List<byte[]> above = new ArrayList<>();
      for (int i = 0; i < row.size(); i += 2) {
        above.add(Merkle.node(row.get(i), row.get(i + 1)));
      }
      row = above;
    }
    return row.getFirst();
  }

  private static byte[] part(byte[] hashes, int at) {
    return Arrays.copyOfRange(hashes, at * Hash.BYTES, (at + 1) * Hash.BYTES);
  }

  private byte[] read(String level, long tile, int from, int length) throws IOException {
    Path file = file(level, tile);
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, from + bytes.position()) < 0) {
          throw new IOException("a tile of level " + level + " is too short");
        }
      }
    } catch (java.nio.file.NoSuchFileException e) {
      throw new IOException("a tile of level " + level + " is missing");
    }
    return bytes.array();
  }

  private Path file(String level, long tile) {
    return folder.resolve("tile").resolve(level).resolve(LogTiles.name(tile));
  }

  /**
   * What is served by a path below the log's address: the checkpoint, and tiles, whole or partial.
   */
  public Optional<byte[]> served(String path) throws IOException {
    Checkpoint now = checkpoint;
    if (path.equals(CHECKPOINT)) {
      return Optional.of(now.note().getBytes(StandardCharsets.UTF_8));
    }
    Matcher tile = TILE.matcher(path);
    if (!tile.matches()) {
      return Optional.empty();
    }
    boolean entries = tile.group(1).equals("entries");
    int level = entries ? 0 : Integer.parseInt(tile.group(1));
    long number = Long.parseLong(tile.group(2).replaceAll("[x/]", ""));
    int width = tile.group(3) == null ? WIDTH : Integer.parseInt(tile.group(3));
    boolean there =
        level < TILE_LEVELS
            && width <= WIDTH
            && file(tile.group(1), number).endsWith(tile.group(2))
            && number * WIDTH + width <= now.size() >> level * TILE_LEVELS;
    return there
        ? Optional.of(read(tile.group(1), number, 0, width * (entries ? ENTRY_BYTES : Hash.BYTES)))
        : Optional.empty();
  }
}
