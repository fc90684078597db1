package dev.staithe.storage.files;

/** Where a file's content is, in the words of the WLCG Tape REST API v1. */
public enum Locality {
  /** On disk, and not on tape. */
  DISK("ONLINE"),
  /** On tape, and not on disk. */
  TAPE("NEARLINE"),
  /** On both. */
  DISK_AND_TAPE("ONLINE_AND_NEARLINE"),
  /** It was on tape, and cannot be read from there any more. */
  LOST("LOST"),
  /** There is no content yet. */
  NONE("NONE"),
  /** The mass storage cannot tell, or cannot give it, at present. */
  UNAVAILABLE("UNAVAILABLE");

  private final String srm;

  Locality(String srm) {
    this.srm = srm;
  }

  /** The same in the words of SRM v2.2 (TFileLocality), which a property of WebDAV took over. */
  public String srm() {
    return srm;
  }

  /** Whether it can be read now. */
  public boolean onDisk() {
    return this == DISK || this == DISK_AND_TAPE;
  }
}
