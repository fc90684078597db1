package dev.staithe.storage.authz;

import org.jspecify.annotations.Nullable;

/** What a storage scope allows below its path (WLCG JWT profile 1.3, capabilities). */
public enum Capability {
  /** Read content and list; {@code storage.read}. */
  READ,
  /** Make what is new and rename it, never overwrite or delete; {@code storage.create}. */
  CREATE,
  /** All that CREATE allows, and overwrite and delete; {@code storage.modify}. */
  MODIFY,
  /** Bring from tape; since profile 1.2 it does not include reading; {@code storage.stage}. */
  STAGE,
  /** Ask whether it is on disk; {@code storage.poll}. */
  POLL;

  private final String scopeName = "storage." + name().toLowerCase(java.util.Locale.ROOT);

  /** The name in a scope, such as {@code storage.read}. */
  public String scopeName() {
    return scopeName;
  }

  /** The capability of that scope name, compared exactly. */
  static @Nullable Capability of(String scopeName) {
    for (Capability capability : values()) {
      if (capability.scopeName.equals(scopeName)) {
        return capability;
      }
    }
    return null;
  }

  /** Whether it allows to make what does not exist. */
  boolean makes() {
    return this == CREATE || this == MODIFY;
  }
}
