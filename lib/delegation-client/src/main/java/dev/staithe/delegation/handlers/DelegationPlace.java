package dev.staithe.delegation.handlers;

/** Where in a SOAP message a delegation is told. */
public enum DelegationPlace {
  /** In two blocks of the header: the service's own elements stay as its description has them. */
  HEADER,
  /** In two elements beside the request in the body, as the ARC middleware does. */
  BODY,
  /** In both: for services whose handlers are not known. */
  BOTH
}
