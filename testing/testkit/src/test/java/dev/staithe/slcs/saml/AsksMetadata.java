package dev.staithe.slcs.saml;

import dev.staithe.slcs.saml.metadata.AsksEndpoints;

/** As it may be: the whole knows its part. */
public final class AsksMetadata {
  /** Of a row before. */
  public AsksEndpoints part;
}
