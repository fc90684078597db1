package dev.staithe.storage.accounts;

import dev.staithe.storage.files.AccessRefusedException;
import dev.staithe.storage.files.NoDescriptorException;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.ReadOnlyException;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoreAwayException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What the helper's errors mean for whom it acts.
 *
 * @param tree the name by which the helper knows the folder of the files
 * @param account as which it acts; empty: none
 */
record HelperErrors(String tree, String account) {
  // Of Linux.
  private static final int EPERM = 1;
  static final int ENOENT = 2;
  private static final int EACCES = 13;
  private static final int EBUSY = 16;
  private static final int EEXIST = 17;
  private static final int EXDEV = 18;
  static final int ENOTDIR = 20;
  private static final int EISDIR = 21;
  private static final int EINVAL = 22;
  static final int ENFILE = 23;
  static final int EMFILE = 24;
  private static final int EFBIG = 27;
  private static final int ENOSPC = 28;
  private static final int EROFS = 30;
  static final int ENAMETOOLONG = 36;
  private static final int ENOTEMPTY = 39;
  static final int ELOOP = 40;
  private static final int EOPNOTSUPP = 95;
  private static final int EDQUOT = 122;

  private static final String DENIED = "the local account that you are mapped to may not do this";

  /** The exception for a failure that is no refusal of what is at a path. */
  IOException told(int error, @Nullable Throwable cause) {
    return switch (error) {
      case EACCES, EPERM -> new AccessRefusedException(DENIED, cause);
      case HelperCall.NO_ACCOUNT, HelperCall.LOW_ACCOUNT ->
          new AccessRefusedException(
              "the local account that you are mapped to cannot be used here",
              new IOException(
                  "the account "
                      + account
                      + (error == HelperCall.NO_ACCOUNT
                          ? " does not exist on this machine"
                          : " is one of the system's, which the helper refuses")));
      case ENOSPC, EDQUOT -> new NoSpaceException(NoSpaceException.NONE_LEFT);
      case EFBIG -> new NoSpaceException("the file is larger than the file system can keep");
      case EROFS -> new ReadOnlyException(new IOException("read-only file system"));
      case EMFILE, ENFILE -> new NoDescriptorException(new IOException("too many open files"));
      case HelperCall.NO_TREE -> new IOException("the helper knows no tree of the name " + tree);
      case HelperCall.LOOKUP_FAILED ->
          new StoreAwayException(
              "local accounts cannot be looked up at present",
              new IOException("the account " + account + " cannot be looked up"));
      default ->
          new IOException("the helper failed with error " + error + " of the operating system");
    };
  }

  /** What is said of a failure at a path, where it is one that callers are told. */
  <T> Outcome.Refused<T> refused(int error) throws IOException {
    return switch (error) {
      case ENOENT, ELOOP, ENOTDIR -> Outcome.Refused.of(Refusal.NOT_FOUND);
      case EACCES, EPERM -> new Outcome.Refused<>(Refusal.ACCESS_DENIED, DENIED);
      case EEXIST -> Outcome.Refused.of(Refusal.EXISTS);
      case EISDIR -> Outcome.Refused.of(Refusal.IS_COLLECTION);
      case EBUSY -> new Outcome.Refused<>(Refusal.CONFLICT, "the root of an area stays");
      case ENAMETOOLONG -> Outcome.Refused.of(Refusal.NAME_TOO_LONG);
      case EINVAL -> Outcome.Refused.of(Refusal.BAD_NAME);
      case ENOTEMPTY ->
          new Outcome.Refused<>(
              Refusal.UNSUPPORTED,
              "files of this area belong to local accounts: only an empty collection is removed");
      case EXDEV ->
          new Outcome.Refused<>(
              Refusal.UNSUPPORTED, "the two paths are on different file systems of the area");
      case EOPNOTSUPP ->
          new Outcome.Refused<>(
              Refusal.UNSUPPORTED, "the file system has no files without a name to begin one by");
      default -> throw told(error, null);
    };
  }

  /** The same where the path is to be made, and what is missing is the way to it. */
  <T> Outcome.Refused<T> refusedToMake(int error) throws IOException {
    return error == ENOENT || error == ELOOP || error == ENOTDIR
        ? Outcome.Refused.of(Refusal.PARENT_MISSING)
        : refused(error);
  }
}
