package dev.staithe.delegation.credential;

/**
 * To be signed as a proxy, with the caller's key, and put.
 *
 * @param pem PKCS#10 (RFC 2986); its subject means nothing
 */
public record ProxyRequest(DelegationId id, String pem) {}
