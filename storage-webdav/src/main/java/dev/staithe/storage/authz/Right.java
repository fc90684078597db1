package dev.staithe.storage.authz;

/** What a caller wants to do at a path; the WLCG scopes grant these (profile 1.3). */
public enum Right {
  /** Learn that it exists, its size and times: HEAD, PROPFIND of depth 0. */
  STAT,
  /** See the members of a collection. */
  LIST,
  /** Read the content. */
  READ,
  /** Make what does not exist. */
  CREATE,
  /** Make, overwrite, rename, delete, set properties, lock. */
  MODIFY
}
