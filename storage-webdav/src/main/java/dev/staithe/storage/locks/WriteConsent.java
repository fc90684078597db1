package dev.staithe.storage.locks;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.Conditions;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.LockTable.Lock;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request may write the file at a path: its conditions, the locks and its rights, judged
 * before its content is taken and again when the file gets its name, as an upload of an hour must
 * not undo what another has done in a minute. For one thread at a time.
 */
public final class WriteConsent implements Consent {
  private final Locking locking;
  private final Locking.Asker asker;
  private final boolean overwrite;
  private final @Nullable Lock filling;
  private boolean replaced;

  private WriteConsent(
      Locking locking, Locking.Asker asker, boolean overwrite, @Nullable Lock filling) {
    this.locking = locking;
    this.asker = asker;
    this.overwrite = overwrite;
    this.filling = filling;
  }

  /**
   * For a request that writes its own path.
   *
   * @param overwrite whether the client lets something be replaced
   */
  public static WriteConsent of(Exchange exchange, Locking locking, boolean overwrite) {
    return new WriteConsent(locking, Locking.Asker.of(exchange), overwrite, null);
  }

  /** For one that fills the empty file which a lock has made. */
  public static WriteConsent filling(Exchange exchange, Locking locking, @Nullable Lock filling) {
    return new WriteConsent(locking, Locking.Asker.of(exchange), true, filling);
  }

  /**
   * For one that writes another path, under these conditions.
   *
   * @param overwrite whether the client lets something be replaced
   */
  public static WriteConsent elsewhere(
      Exchange exchange,
      Locking locking,
      HttpFields conditions,
      StoragePath path,
      boolean overwrite) {
    return new WriteConsent(
        locking, new Locking.Asker(exchange, conditions, path), overwrite, null);
  }

  /** What speaks against writing now, if anything does; nothing is changed by asking. */
  public Optional<Outcome.Refused<Replace>> obstacle() throws IOException {
    StoragePath path = asker.subject();
    Optional<FileEntry> current = asker.exchange().area().store().find(path);
    replaced = current.isPresent();
    if (Conditions.judge(asker.headers(), current, false) != Conditions.Verdict.MET) {
      return Optional.of(
          new Outcome.Refused<>(Refusal.CONDITION_FAILED, Refusal.CONDITION_FAILED.text()));
    }
    return locking.obstacle(
        asker, path, current.isEmpty() ? Locking.Change.NAME : Locking.Change.CONTENT);
  }

  @Override
  public Outcome<Replace> ask() throws IOException {
    Optional<Outcome.Refused<Replace>> obstacle = obstacle();
    return obstacle.isPresent() ? obstacle.get() : new Outcome.Done<>(replace());
  }

  /** A caller who may only create, or who asked for it, never replaces: not even in a race. */
  private Replace replace() throws IOException {
    Exchange exchange = asker.exchange();
    if (filling != null && locking.table(exchange).filled(filling)) {
      return Replace.ALLOWED;
    }
    return overwrite
            && !Conditions.demandsAbsence(asker.headers())
            && exchange.admission(asker.subject(), Right.MODIFY) instanceof Admission.Allowed
        ? Replace.ALLOWED
        : Replace.NEVER;
  }

  /** Whether something was at the path when this was asked last. */
  public boolean replaced() {
    return replaced;
  }
}
