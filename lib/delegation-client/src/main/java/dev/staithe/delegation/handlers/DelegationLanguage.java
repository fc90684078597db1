package dev.staithe.delegation.handlers;

/** How a service of delegation is spoken to. */
public enum DelegationLanguage {
  /** The JSON of our own; the address is that of the service. */
  STAITHE,
  /** ARC's SOAP; the address is that of its interface. */
  ARC
}
