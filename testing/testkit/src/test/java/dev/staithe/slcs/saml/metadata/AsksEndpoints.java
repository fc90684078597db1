package dev.staithe.slcs.saml.metadata;

import dev.staithe.slcs.saml.AsksMetadata;

/** Knows what stands above it. */
public final class AsksEndpoints {
  /** Of a later row. */
  public AsksMetadata whole;
}
