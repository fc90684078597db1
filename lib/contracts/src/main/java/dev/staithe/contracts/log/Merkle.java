package dev.staithe.contracts.log;

import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tree of RFC 9162 section 2.1: hashes, inclusion proofs and consistency proofs. */
public final class Merkle {
  private static final byte[] LEAF = {0};
  private static final byte[] NODE = {1};

  private Merkle() {}

  /** Where hashes of whole subtrees come from. */
  public interface Nodes {
    /**
     * The hash of the subtree of {@code 1 << level} entries that begins at {@code index << level}.
     */
    byte[] node(int level, long index) throws IOException;
  }

  /** The hash of an entry. */
  public static byte[] leaf(byte[] entry) {
    return Hash.of(LEAF, entry);
  }

  /** The hash of two subtrees side by side. */
  public static byte[] node(byte[] left, byte[] right) {
    return Hash.of(NODE, left, right);
  }

  /** The hash of the first {@code size} entries (section 2.1.1). */
  public static byte[] root(Nodes nodes, long size) throws IOException {
    return size == 0 ? Hash.of() : range(nodes, 0, size);
  }

  private static byte[] range(Nodes nodes, long from, long to) throws IOException {
    long length = to - from;
    if (Long.bitCount(length) == 1 && from % length == 0) {
      int level = Long.numberOfTrailingZeros(length);
      return nodes.node(level, from >> level);
    }
    long middle = from + split(length);
    return node(range(nodes, from, middle), range(nodes, middle, to));
  }

  /** The largest power of two below {@code length}. */
  private static long split(long length) {
    return Long.highestOneBit(length - 1);
  }

  /** That the entry at {@code index} is among the first {@code size} (section 2.1.3.1). */
  public static List<byte[]> inclusion(Nodes nodes, long index, long size) throws IOException {
    List<byte[]> path = new ArrayList<>();
    long from = 0;
    long to = size;
    while (to - from > 1) {
      long middle = from + split(to - from);
      if (index < middle) {
        path.add(range(nodes, middle, to));
        to = middle;
      } else {
        path.add(range(nodes, from, middle));
        from = middle;
      }
    }
    return path.reversed();
  }

  /** That the first {@code older} entries begin the first {@code newer} (section 2.1.4.1). */
  public static List<byte[]> consistency(Nodes nodes, long older, long newer) throws IOException {
    List<byte[]> path = new ArrayList<>();
    if (older == 0 || older == newer) {
      return path;
    }
    long from = 0;
    long to = newer;
    boolean known = true;
    while (older != to) {
      long middle = from + split(to - from);
      if (older <= middle) {
        path.add(range(nodes, middle, to));
        to = middle;
      } else {
        path.add(range(nodes, from, middle));
        from = middle;
        known = false;
      }
    }
    if (!known) {
      path.add(range(nodes, from, to));
    }
    return path.reversed();
  }

  /**
   * The root that an inclusion proof leads to (section 2.1.3.2).
   *
   * @throws BadSignature where the proof is of no such tree
   */
  public static byte[] rootOf(byte[] leaf, long index, long size, List<byte[]> path)
      throws BadSignature {
    if (index < 0 || index >= size) {
      throw new BadSignature("the inclusion proof is of an entry beyond the log");
    }
    long fn = index;
    long sn = size - 1;
    byte[] root = leaf;
    for (byte[] each : path) {
      if (sn == 0 || each.length != Hash.BYTES) {
        throw new BadSignature("the inclusion proof has another length than its tree");
      }
      if ((fn & 1) == 1 || fn == sn) {
        root = node(each, root);
        while ((fn & 1) == 0 && fn != 0) {
          fn >>= 1;
          sn >>= 1;
        }
      } else {
        root = node(root, each);
      }
      fn >>= 1;
      sn >>= 1;
    }
    if (sn != 0) {
      throw new BadSignature("the inclusion proof has another length than its tree");
    }
    return root;
  }

  /**
   * Whether the older tree begins the newer (section 2.1.4.2).
   *
   * @param older entries, at least one
   */
  public static boolean consistent(
      long older, byte[] olderRoot, long newer, byte[] newerRoot, List<byte[]> path) {
    if (older == newer) {
      return path.isEmpty() && Arrays.equals(olderRoot, newerRoot);
    }
    if (older < 1 || older > newer || path.isEmpty()) {
      return false;
    }
    List<byte[]> hashes = new ArrayList<>(path);
    if (Long.bitCount(older) == 1) {
      hashes.addFirst(olderRoot);
    }
    long fn = older - 1;
    long sn = newer - 1;
    while ((fn & 1) == 1) {
      fn >>= 1;
      sn >>= 1;
    }
    byte[] fr = hashes.getFirst();
    byte[] sr = fr;
    for (byte[] each : hashes.subList(1, hashes.size())) {
      if (sn == 0) {
        return false;
      }
      if ((fn & 1) == 1 || fn == sn) {
        fr = node(each, fr);
        sr = node(each, sr);
        while ((fn & 1) == 0 && fn != 0) {
          fn >>= 1;
          sn >>= 1;
        }
      } else {
        sr = node(sr, each);
      }
      fn >>= 1;
      sn >>= 1;
    }
    return sn == 0 && Arrays.equals(fr, olderRoot) && Arrays.equals(sr, newerRoot);
  }
}
