package dev.staithe.authn.seal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys that tokens are made and checked with: the first of the list makes new ones, all are
 * accepted. To rotate without refusing anybody, add the new key at the end on every node, then move
 * it to the front on every node, and drop the old one when its last token has expired. Safe for
 * many threads; a reader sees the ring before or after a replacement, never between.
 */
public final class TokenKeys {
  /** How many there may be. */
  public static final int MOST = 16;

  private volatile Ring ring;

  /**
   * With these keys.
   *
   * @throws IllegalArgumentException as {@link #replace}
   */
  public TokenKeys(List<TokenKey> keys) {
    this.ring = new Ring(keys, List.of());
  }

  /**
   * From now on these keys count and no others.
   *
   * @param keys 1 to {@link #MOST}, the one that makes new tokens first
   * @throws IllegalArgumentException for another number, or two of the same name; the ring stays as
   *     it was
   */
  public synchronized void replace(List<TokenKey> keys) {
    ring = new Ring(keys, ring.keys);
  }

  /** The keys' names, the one that makes new tokens first. */
  public List<String> kids() {
    return ring.keys.stream().map(keyed -> keyed.key.kid()).toList();
  }

  Ring ring() {
    return ring;
  }

  @Override
  public String toString() {
    return "TokenKeys" + kids();
  }

  /** The keys at one moment. */
  static final class Ring {
    private final List<Keyed> keys;

    private Ring(List<TokenKey> keys, List<Keyed> before) {
      if (keys.isEmpty() || keys.size() > MOST) {
        throw new IllegalArgumentException("there must be 1 to " + MOST + " token keys");
      }
      Set<String> kids = new HashSet<>();
      for (TokenKey key : keys) {
        if (!kids.add(key.kid())) {
          throw new IllegalArgumentException("two token keys are named " + key.kid());
        }
      }
      // What a key that stays has prepared stays with it, so that reloading costs nothing.
      this.keys = keys.stream().map(key -> prepared(key, before)).toList();
    }

    private static Keyed prepared(TokenKey key, List<Keyed> before) {
      return before.stream()
          .filter(keyed -> keyed.key.equals(key))
          .findFirst()
          .orElseGet(() -> new Keyed(key));
    }

    /** The one that makes new tokens. */
    Keyed minting() {
      return keys.getFirst();
    }

    /** The one whose name stands there. */
    @Nullable Keyed find(byte[] text, int from, int to) {
      for (int i = 0; i < keys.size(); i++) {
        Keyed keyed = keys.get(i);
        if (Arrays.equals(keyed.kid, 0, keyed.kid.length, text, from, to)) {
          return keyed;
        }
      }
      return null;
    }
  }

  /** A key with what was derived from it. */
  static final class Keyed {
    private final TokenKey key;
    private final byte[] kid;
    private final Map<String, MacPool> byPurpose = new ConcurrentHashMap<>();

    private Keyed(TokenKey key) {
      this.key = key;
      this.kid = key.kid().getBytes(StandardCharsets.US_ASCII);
    }

    String kid() {
      return key.kid();
    }

    /**
     * Macs under the key of a purpose: what was made for one is forged for every other. Derived as
     * HKDF-Expand does (RFC 5869 section 2.3, one block).
     */
    MacPool macs(String purpose) {
      MacPool known = byPurpose.get(purpose);
      return known != null ? known : byPurpose.computeIfAbsent(purpose, this::derived);
    }

    private MacPool derived(String purpose) {
      byte[] info = ("staithe " + purpose + '\u0001').getBytes(StandardCharsets.UTF_8);
      return new MacPool(new MacPool(key.secret()).mac(info, 0, info.length));
    }
  }
}
