package dev.staithe.storage.files;

import java.io.IOException;

/**
 * What a request needs before it changes a path: its conditions, locks and rights, as they are at
 * the very moment of the change. Asked while nobody else changes the path; it may look at the store
 * but change nothing in it.
 */
@FunctionalInterface
public interface Consent {
  /** Whether what is at the path may be replaced, or why nothing may be changed. */
  Outcome<FileStore.Replace> ask() throws IOException;
}
