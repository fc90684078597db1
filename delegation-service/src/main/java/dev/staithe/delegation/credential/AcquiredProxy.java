package dev.staithe.delegation.credential;

import java.time.Instant;

/**
 * What an acquirer may act with, and its own key.
 *
 * @param id of the delegation that signed
 * @param chainPem certificates, the new proxy first, without the authority's own
 * @param notAfter when the first of them ends
 */
public record AcquiredProxy(DelegationId id, String chainPem, Instant notAfter) {}
