package dev.staithe.delegation.client;

import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import java.time.Instant;

/**
 * A proxy that was acquired, with its own fresh key, which no service has seen.
 *
 * @param credential key and chain, the proxy's own certificate first
 * @param subject whom it lets its holder act for: the name of the first certificate in the chain
 *     that is no proxy
 * @param notAfter when the first certificate of the chain ends
 */
public record Acquired(Credential credential, GridSubject subject, Instant notAfter) {}
