package dev.staithe.storage.authz;

/** What a caller wants to do at a path; the WLCG scopes grant these (profile 1.3). */
public enum Right {
  /** Learn that it exists, its size and times: HEAD, PROPFIND of depth 0. */
  STAT,
  /** See the members of a collection. */
  LIST,
  /** Read the content. */
  READ,
  /** Make what does not exist; a path in collection form means a collection (MKCOL). */
  CREATE,
  /**
   * Take it away from this name to give it another one, where the caller has CREATE, or MODIFY if
   * it replaces something. A token that may only create renames among the paths it may create at.
   */
  RENAME,
  /** Make, overwrite, rename, delete, set properties, lock. */
  MODIFY
}
