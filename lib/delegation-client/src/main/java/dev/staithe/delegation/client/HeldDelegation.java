package dev.staithe.delegation.client;

import java.time.Instant;

/**
 * A delegation that a service holds.
 *
 * @param id under which the service knows it
 * @param notAfter when the proxy that was given to it ends
 */
public record HeldDelegation(String id, Instant notAfter) {}
