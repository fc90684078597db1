package dev.staithe.contracts.log;

import dev.staithe.contracts.signature.Hash;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The tree of another's log, of a size that its checkpoint names, read tile by tile as C2SP
 * tlog-tiles serves them. Nothing of it is believed: what is computed from it is compared with
 * roots that were signed. For one thread.
 */
public final class LogTiles implements Merkle.Nodes {
  /** Hashes in a whole tile. */
  public static final int WIDTH = 256;

  private static final int TILE_LEVELS = 8;

  private final long size;
  private final Source source;
  private final Map<String, byte[]> read = new HashMap<>();

  /** Where tiles come from. */
  public interface Source {
    /**
     * One tile.
     *
     * @param path below the log's address, as {@code tile/0/000.p/5}
     */
    byte[] tile(String path) throws IOException;
  }

  /** Reads nothing yet. */
  public LogTiles(long size, Source source) {
    this.size = size;
    this.source = source;
  }

  /**
   * Whether this tree goes on from an older one.
   *
   * @param older what was signed before
   * @param newer what is signed now, of this size
   * @throws IOException where the log cannot be read
   */
  public boolean goesOnFrom(Checkpoint older, Checkpoint newer) throws IOException {
    if (newer.size() < older.size()) {
      return false;
    }
    return older.size() == 0
        || Merkle.consistent(
            older.size(),
            older.root(),
            newer.size(),
            newer.root(),
            Merkle.consistency(this, older.size(), newer.size()));
  }

  /**
   * Whether each tile is of those below it, and all of them of a checkpoint: of a log that was
   * changed anywhere they are not. Reads the whole tree.
   *
   * @param signed of this size
   * @throws IOException where the log cannot be read
   */
  public boolean isWhole(Checkpoint signed) throws IOException {
    for (int level = 1; size >> level * TILE_LEVELS > 0; level++) {
      for (long i = 0; i < size >> level * TILE_LEVELS; i++) {
        if (!Arrays.equals(node(level * TILE_LEVELS, i), reduced(tile(level - 1, i)))) {
          return false;
        }
      }
    }
    return Arrays.equals(Merkle.root(this, size), signed.root());
  }

  @Override
  public byte[] node(int level, long index) throws IOException {
    int within = level % TILE_LEVELS;
    long first = index << within;
    byte[] tile = tile(level / TILE_LEVELS, first / WIDTH);
    int from = (int) (first % WIDTH) * Hash.BYTES;
    int length = Hash.BYTES << within;
    if (tile.length < from + length) {
      throw new IOException("a tile of the log is too short");
    }
    return reduced(Arrays.copyOfRange(tile, from, from + length));
  }

  /** The hash above a power of two of them. */
  private static byte[] reduced(byte[] hashes) {
    byte[] row = hashes;
    while (row.length > Hash.BYTES) {
      byte[] above = new byte[row.length / 2];
      for (int i = 0; i < above.length; i += Hash.BYTES) {
        byte[] node =
            Merkle.node(
                Arrays.copyOfRange(row, 2 * i, 2 * i + Hash.BYTES),
                Arrays.copyOfRange(row, 2 * i + Hash.BYTES, 2 * i + 2 * Hash.BYTES));
        System.arraycopy(node, 0, above, i, Hash.BYTES);
      }
      row = above;
    }
    return row;
  }

  private byte[] tile(int level, long number) throws IOException {
    long width = Math.min(WIDTH, (size >> level * TILE_LEVELS) - number * WIDTH);
    String path = "tile/" + level + "/" + name(number) + (width < WIDTH ? ".p/" + width : "");
    byte[] known = read.get(path);
    if (known == null) {
      known = source.tile(path);
      read.put(path, known);
    }
    return known;
  }

  /** Of a tile, in groups of three digits. */
  static String name(long number) {
    String name = String.format(Locale.ROOT, "%03d", number % 1000);
    for (long rest = number / 1000; rest > 0; rest /= 1000) {
      name = String.format(Locale.ROOT, "x%03d/", rest % 1000) + name;
    }
    return name;
  }
}
