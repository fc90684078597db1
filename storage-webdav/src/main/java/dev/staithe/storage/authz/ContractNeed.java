package dev.staithe.storage.authz;

/** What files of an area need in order to leave it; who asks for more comes later. */
public enum ContractNeed {
  /** Nothing beyond rights. */
  NONE,
  /** A contract. */
  CONTRACT,
  /** A contract with a host whose TPM quotes for it. */
  ATTESTED;

  /** Whether files are no less bound here than there. */
  public boolean covers(ContractNeed there) {
    return compareTo(there) >= 0;
  }
}
