package dev.staithe.gateway.trust;

import dev.staithe.tls.Reloadable;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Users and their passwords in a file of lines {@code name:password}, which nobody but the
 * gateway's user can read: passwords themselves, since digests and keys are made of them (WSS
 * UsernameToken profile 1.1 sections 3.1 and 4). Empty lines and those that begin with {@code #}
 * are passed over; a password may hold colons. The file is read again when it changes; a broken one
 * is not taken. Thread-safe.
 */
public final class UserFile implements Surroundings.Passwords, AutoCloseable {
  private static final long LONGEST_FILE = 4 << 20;
  private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}:]{1,256}");
  private static final Pattern PASSWORD = Pattern.compile("[^\\p{Cntrl}]{1,1024}");
  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /** Whom nobody is: a password is compared all the same. */
  private static final byte[] NOBODYS = "nobody's password".getBytes(StandardCharsets.UTF_8);

  private final Reloadable<Map<String, byte[]>> users;

  private UserFile(Reloadable<Map<String, byte[]>> users) {
    this.users = users;
  }

  /**
   * Reads the file and begins to watch it.
   *
   * @param checkInterval between two looks at the file, zero for none
   * @throws IOException with one line, without a password, where it cannot be used
   */
  public static UserFile open(Path file, Duration checkInterval, Clock clock) throws IOException {
    try {
      return new UserFile(
          new Reloadable<>("Users " + file, List.of(file), checkInterval, clock, () -> read(file)));
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static Map<String, byte[]> read(Path file) throws IOException {
    if (!OWNERS.containsAll(Files.getPosixFilePermissions(file))) {
      throw new IOException(file + " can be read by others than its owner: chmod 600 it");
    }
    if (Files.size(file) > LONGEST_FILE) {
      throw new IOException(file + " is longer than " + LONGEST_FILE + " bytes");
    }
    String text;
    try {
      text = Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IOException(file + " is not in UTF-8", e);
    }
    Map<String, byte[]> users = new HashMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(':');
      String name = line.substring(0, Math.max(0, colon));
      String password = line.substring(colon + 1);
      if (!NAME.matcher(name).matches() || !PASSWORD.matcher(password).matches()) {
        throw new IOException(file + " line " + number + " is not name:password");
      }
      if (users.put(name, password.getBytes(StandardCharsets.UTF_8)) != null) {
        throw new IOException(file + " line " + number + " tells a user for the second time");
      }
    }
    return Map.copyOf(users);
  }

  /** Whether it is told here, whatever the password. */
  boolean has(String username) {
    return users.current().containsKey(username);
  }

  @Override
  public boolean check(String username, char[] password) {
    byte[] known = users.current().get(username);
    ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(password));
    byte[] shown = Arrays.copyOf(encoded.array(), encoded.limit());
    try {
      // Of digests, so that the time tells nothing of lengths.
      boolean same = MessageDigest.isEqual(digest(known == null ? NOBODYS : known), digest(shown));
      return same && known != null;
    } finally {
      Arrays.fill(shown, (byte) 0);
      Arrays.fill(encoded.array(), (byte) 0);
    }
  }

  private static byte[] digest(byte[] secret) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  @Override
  public byte @Nullable [] of(String username) {
    byte[] known = users.current().get(username);
    return known == null ? null : known.clone();
  }

  /** Looks at the file now, beside the regular looks. */
  public void reloadIfChanged() {
    users.check();
  }

  /** Why the newest file is not in use, one line; null where it is. */
  public @Nullable String trouble() {
    return users.lastError();
  }

  @Override
  public void close() {
    users.close();
  }
}
