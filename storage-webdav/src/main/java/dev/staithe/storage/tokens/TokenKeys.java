package dev.staithe.storage.tokens;

import dev.staithe.pki.seal.MasterKeySource;
import dev.staithe.pki.seal.MasterKeys;
import dev.staithe.storage.state.SecretFile;
import dev.staithe.storage.state.SharedSecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that tokens are made with, in a file that all nodes of a storage element share: a line
 * for each key, {@code KIND ID MADE SEALED}. A key that is no longer there is withdrawn, on every
 * node and for all that was made with it: the file is looked at again after a second, and where a
 * key is not known. Keys are made when one is needed. Safe for many threads, and for many nodes.
 */
final class TokenKeys {
  private static final Logger log = LoggerFactory.getLogger(TokenKeys.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** By which the clocks of two nodes may differ. */
  private static final Duration CLOCKS = Duration.ofMinutes(5);

  private static final int MASTER_BYTES = 32;

  /** What stood in the file. */
  private record Ring(SharedSecretFile.@Nullable Mark mark, Map<String, TokenKey> keys) {
    static final Ring EMPTY = new Ring(null, Map.of());
  }

  private final SharedSecretFile file;
  private final Path masterFile;
  private final Duration rotation;
  private final Duration kept;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final Object looking = new Object();
  private long lookBegan = System.nanoTime(); // under the lock of looking
  private final AtomicLong nextLook = new AtomicLong(System.nanoTime());
  private volatile Ring ring = Ring.EMPTY;
  private volatile boolean unreadable;

  /** Uses the file of the settings, which need not be there. */
  TokenKeys(TokenSettings settings, Clock clock) {
    this.file = new SharedSecretFile(settings.keys());
    this.masterFile = settings.sealingKey();
    this.rotation = settings.rotation();
    this.kept = settings.longest();
    this.clock = clock;
  }

  /**
   * The key of that name, unless it was withdrawn. One that is not known may be another node's of
   * this very moment, whose tokens are good at once: the file is looked at before it is denied.
   */
  Optional<TokenKey> find(String id) {
    TokenKey known = looked().keys().get(id);
    return Optional.ofNullable(known == null ? newest().keys().get(id) : known);
  }

  /** The keys for JWTs, newest first; those that sign no more are among them as long as needed. */
  List<TokenKey.Signing> signing() {
    return newestFirst(newest().keys().values(), TokenKey.Signing.class);
  }

  /**
   * What macaroons are made with now.
   *
   * @throws IOException with one line where there is no key and none can be made
   */
  TokenKey.Root root() throws IOException {
    return current(TokenKey.Root.class, TokenKey.Root::make);
  }

  /**
   * What JWTs are made with now.
   *
   * @throws IOException with one line where there is no key and none can be made
   */
  TokenKey.Signing signingNow() throws IOException {
    return current(TokenKey.Signing.class, TokenKey.Signing::make);
  }

  private static <K extends TokenKey> List<K> newestFirst(
      Collection<TokenKey> keys, Class<K> kind) {
    return keys.stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .sorted(Comparator.comparing(TokenKey::made).reversed())
        .toList();
  }

  /** One that was made while a clock was ahead would never be old: it opens what it has made. */
  private <K extends TokenKey> Optional<K> usable(Collection<TokenKey> keys, Class<K> kind) {
    Instant now = clock.instant();
    return newestFirst(keys, kind).stream()
        .filter(key -> key.made().isBefore(now.plus(CLOCKS)))
        .findFirst()
        .filter(key -> now.isBefore(key.made().plus(rotation)));
  }

  private <K extends TokenKey> K current(Class<K> kind, BiFunction<Instant, SecureRandom, K> maker)
      throws IOException {
    Optional<K> there = usable(looked().keys().values(), kind);
    return there.isPresent() ? there.get() : made(kind, maker);
  }

  /** One at a time, on all nodes: another may have made one while this one waited. */
  private <K extends TokenKey> K made(Class<K> kind, BiFunction<Instant, SecureRandom, K> maker)
      throws IOException {
    file.change(
        before -> {
          Map<String, TokenKey> there = keys(before);
          if (usable(there.values(), kind).isPresent()) {
            return null;
          }
          Instant now = clock.instant();
          K fresh = maker.apply(now, random);
          List<TokenKey> keys = new ArrayList<>(List.of(fresh));
          there.values().stream()
              .filter(key -> !isOver(key, there.values(), now))
              .forEach(keys::add);
          log.info("tokens are made with the new {} key {}", fresh.kind(), fresh.id());
          return text(keys);
        });
    look();
    return usable(ring.keys().values(), kind)
        .orElseThrow(() -> new IOException(file + " does not keep a key"));
  }

  /**
   * Whether all that was made with it has ended: another one has been in its place for as long as a
   * token lives. Not by its age, for a node whose clock is ahead would take those of all others.
   */
  private boolean isOver(TokenKey key, Collection<TokenKey> all, Instant now) {
    return all.stream()
        .anyMatch(
            next ->
                next.kind().equals(key.kind())
                    && next.made().isAfter(key.made())
                    && !now.isBefore(next.made().plus(kept)));
  }

  private Ring looked() {
    long due = nextLook.get();
    long now = System.nanoTime();
    if (now - due >= 0 && nextLook.compareAndSet(due, now + LOOK.toNanos())) {
      look();
    }
    return ring;
  }

  /** What stands there now; while it cannot be read, that is found out once a second. */
  private Ring newest() {
    if (unreadable) {
      return looked();
    }
    look();
    return ring;
  }

  /** Not in the turn of {@link #made}: tokens are judged while a new key waits for other nodes. */
  private void look() {
    long asked = System.nanoTime();
    synchronized (looking) {
      if (lookBegan - asked > 0) {
        return; // Another's look, for which many have waited together, began after that.
      }
      lookBegan = System.nanoTime();
      try {
        if (!Objects.equals(file.mark().orElse(null), ring.mark())) {
          ring = read();
        }
        unreadable = false;
      } catch (IOException e) {
        // Who cannot see whether a key was withdrawn must take it for withdrawn.
        ring = Ring.EMPTY;
        unreadable = true;
        log.warn("{} cannot be read, tokens of this server are refused: {}", file, e.getMessage());
      }
    }
  }

  private Ring read() throws IOException {
    // Looked at before: what is written meanwhile is read again at the next look.
    SharedSecretFile.Mark mark = file.mark().orElse(null);
    return mark == null ? Ring.EMPTY : new Ring(mark, Map.copyOf(keys(file.read())));
  }

  private Map<String, TokenKey> keys(String text) throws IOException {
    Map<String, TokenKey> keys = new LinkedHashMap<>();
    if (text.isEmpty()) {
      return keys;
    }
    MasterKeys master = master();
    for (String line : text.lines().toList()) {
      if (!line.isBlank() && !line.startsWith("#")) {
        TokenKey key = read(line.strip(), master);
        if (key != null) {
          keys.put(key.id(), key);
        }
      }
    }
    return keys;
  }

  private @Nullable TokenKey read(String line, MasterKeys master) {
    String[] fields = line.split(" +");
    try {
      String id = fields[1];
      Instant made = Instant.parse(fields[2]);
      byte[] sealed = Base64.getDecoder().decode(fields[3]);
      switch (master.open(row(fields[0], id), sealed)) {
        case MasterKeys.Opening.Opened(byte[] secret) -> {
          return fields[0].equals(TokenKey.Root.KIND)
              ? TokenKey.Root.read(id, made, secret)
              : TokenKey.Signing.read(id, made, secret);
        }
        case MasterKeys.Opening.Unreadable(String why) ->
            log.warn("a key in {} counts as withdrawn: {}", file, why);
      }
    } catch (DateTimeException
        | IllegalArgumentException
        | IndexOutOfBoundsException
        | ParseException e) {
      log.warn("a line of {} is no key: KIND ID MADE SEALED", file);
    }
    return null;
  }

  private String text(Iterable<TokenKey> keys) throws IOException {
    MasterKeys master = master();
    List<String> lines = new ArrayList<>();
    lines.add("# KIND ID MADE SEALED: to withdraw all tokens of a key delete its line");
    for (TokenKey key : keys) {
      byte[] secret = key.secret();
      lines.add(
          String.join(
              " ",
              key.kind(),
              key.id(),
              key.made().toString(),
              Base64.getEncoder().encodeToString(master.seal(row(key.kind(), key.id()), secret))));
      Arrays.fill(secret, (byte) 0);
    }
    return String.join("\n", lines) + "\n";
  }

  private MasterKeys master() throws IOException {
    SecretFile.readOrCreate(
        masterFile,
        () -> {
          byte[] key = new byte[MASTER_BYTES];
          random.nextBytes(key);
          return (Base64.getEncoder().encodeToString(key) + "\n")
              .getBytes(StandardCharsets.US_ASCII);
        });
    return MasterKeys.of(List.of(new MasterKeySource.Base64File(masterFile)));
  }

  private static String row(String kind, String id) {
    return "storage " + kind + " key " + id;
  }
}
