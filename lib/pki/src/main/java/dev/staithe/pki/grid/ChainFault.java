package dev.staithe.pki.grid;

/**
 * What stands against the certificates of a client.
 *
 * @param line one printable line
 */
record ChainFault(DelegatedChainVerdict.Reason reason, String line) {}
