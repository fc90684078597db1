package dev.staithe.storage.authz;

/** What a caller wants to do at a path; the WLCG scopes grant these (profile 1.3). */
public enum Right {
  /** Learn that it exists, its size and times: HEAD, PROPFIND of depth 0. */
  STAT,
  /** See the members of a collection. */
  LIST,
  /** Read the content. */
  READ,
  /** Make what does not exist: a file, or a collection together with what goes into it. */
  CREATE,
  /**
   * Make an empty collection (MKCOL). What may be created may need parents, so this one is granted
   * for them too; that is why it must not be asked for anything that brings content along.
   */
  MAKE_COLLECTION,
  /**
   * Take it away from this name to give it another one, where the caller has CREATE, or MODIFY if
   * it replaces something. A token that may only create renames among the paths it may create at.
   */
  RENAME,
  /** Make, overwrite, rename, set properties, lock. */
  MODIFY,
  /** Take it away for good. No scope tells it from MODIFY, but what a macaroon allows does. */
  DELETE,
  /** Have it brought from tape, and let go again. */
  STAGE,
  /** Learn whether it is on disk or on tape. */
  POLL
}
