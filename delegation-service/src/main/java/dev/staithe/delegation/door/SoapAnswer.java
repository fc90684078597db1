package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.DelegationFault;

/** What an operation answers. */
sealed interface SoapAnswer {
  /**
   * It was done.
   *
   * @param xml the one element of the body
   */
  record Done(String xml) implements SoapAnswer {}

  /**
   * It was not.
   *
   * @param why for people
   * @param detail the element that the description names; empty for none
   * @param unheard whether the delegations were not asked, which write their own audit lines
   */
  record Fault(DelegationFault why, String detail, boolean unheard) implements SoapAnswer {}
}
