package dev.staithe.gateway.trust;

import dev.staithe.tls.Reloadable;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.nio.CharBuffer;
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
import org.jspecify.annotations.Nullable;

/**
 * Names and passwords in a file of lines {@code name:password}, which only its owner can read, as
 * digests and derived keys need the passwords themselves (WSS 1.1 UsernameToken profile). It is
 * read again when it changes. Thread-safe.
 */
public final class UserFile implements Surroundings.Passwords, AutoCloseable {
  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /** Compared with where there is no such user, so that it takes as long. */
  private static final byte[] NOBODY = new byte[32];

  private final Reloadable<Map<String, byte[]>> users;

  private UserFile(Reloadable<Map<String, byte[]>> users) {
    this.users = users;
  }

  /**
   * Reads it and begins to watch it.
   *
   * @throws IOException with one line where it cannot be used
   */
  public static UserFile open(Path file, Duration checkInterval, Clock clock) throws IOException {
    try {
      return new UserFile(
          new Reloadable<>("Users " + file, List.of(file), checkInterval, clock, () -> read(file)));
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " cannot be used", e);
    }
  }

  private static Map<String, byte[]> read(Path file) throws IOException {
    if (!OWNER.containsAll(Files.getPosixFilePermissions(file))) {
      throw new IOException(file + " can be read by others than its owner: chmod 600");
    }
    Map<String, byte[]> users = new HashMap<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(':');
      if (colon < 1 || colon == line.length() - 1) {
        throw new IOException(file + ": line " + number + " is not name:password");
      }
      byte[] password = line.substring(colon + 1).getBytes(StandardCharsets.UTF_8);
      if (users.put(line.substring(0, colon), password) != null) {
        throw new IOException(file + ": line " + number + " names somebody for the second time");
      }
    }
    return users;
  }

  @Override
  public boolean check(String username, char[] password) {
    byte[] known = users.current().get(username);
    byte[] shown = digest(StandardCharsets.UTF_8.encode(CharBuffer.wrap(password)).array());
    boolean same = MessageDigest.isEqual(shown, known == null ? NOBODY : digest(known));
    return same && known != null;
  }

  @Override
  public byte @Nullable [] of(String username) {
    byte[] known = users.current().get(username);
    return known == null ? null : known.clone();
  }

  /** Of equal length whatever the password; the encoder leaves zeros behind it. */
  private static byte[] digest(byte[] password) {
    int end = password.length;
    while (end > 0 && password[end - 1] == 0) {
      end--;
    }
    try {
      return MessageDigest.getInstance("SHA-256").digest(Arrays.copyOf(password, end));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  @Override
  public void close() {
    users.close();
  }
}
