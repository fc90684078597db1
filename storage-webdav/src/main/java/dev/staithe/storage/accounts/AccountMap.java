package dev.staithe.storage.accounts;

import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.policy.Principal;
import dev.staithe.tls.Reloadable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which local account a caller has in an area. The files are read again when they change; where one
 * line is wrong, all that was in force stays so. Thread-safe; no file is read while a caller waits.
 */
public final class AccountMap implements AutoCloseable {
  private final Reloadable<AccountRules> files;

  private AccountMap(Reloadable<AccountRules> files) {
    this.files = files;
  }

  /**
   * Reads the files and begins to watch them.
   *
   * @param rules the site's own; absent: none
   * @param gridMapfile absent: none
   * @param issuers those that rules may name
   * @param interval between two looks at the files; zero for none
   * @throws IOException where one is refused; the message is one line that tells which, and where
   */
  public static AccountMap open(
      String area,
      @Nullable Path rules,
      @Nullable Path gridMapfile,
      Set<String> issuers,
      Duration interval,
      Clock clock)
      throws IOException {
    try {
      return new AccountMap(
          new Reloadable<>(
              "Accounts of area " + area,
              Stream.of(rules, gridMapfile).flatMap(Stream::ofNullable).toList(),
              interval,
              clock,
              () -> AccountRules.read(rules, gridMapfile, issuers)));
    } catch (GeneralSecurityException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** How many names are mapped. */
  public int size() {
    return files.current().size();
  }

  /** Why the files as they are now are not in force, one line; null where they are. */
  public @Nullable String lastError() {
    return files.lastError();
  }

  /** The area as that caller sees it: by the account that it has, or not at all. */
  public FileStore seen(AccountStore area, Caller caller) {
    return files
        .current()
        .account(Principal.of(caller))
        .map(area::as)
        .orElseGet(
            () ->
                area.refusing(
                    caller instanceof Caller.Anonymous
                        ? "files of this area belong to local accounts, and you have shown nothing"
                            + " that is mapped to one"
                        : "no local account is mapped to "
                            + caller.label()
                            + ", nor to a group or role of it"));
  }

  @Override
  public void close() {
    files.close();
  }
}
