package dev.staithe.delegation.handlers;

import javax.xml.namespace.QName;

/**
 * What is told beside a call: where a delegation is, and which.
 *
 * @param service address of the service that holds it
 * @param id its id there
 */
record Notice(String service, String id) {
  /** Of elements in a SOAP message, as the ARC middleware has them. */
  static final String NAMESPACE = "urn:delegation";

  static final QName SERVICE_ELEMENT = new QName(NAMESPACE, "DelegationService", "deleg");
  static final QName ID_ELEMENT = new QName(NAMESPACE, "DelegationID", "deleg");

  /** Of fields in a request of HTTP. */
  static final String SERVICE_FIELD = "Delegation-Service";

  static final String ID_FIELD = "Delegation-ID";
}
