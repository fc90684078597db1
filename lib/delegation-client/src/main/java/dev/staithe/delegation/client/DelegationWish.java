package dev.staithe.delegation.client;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.grid.ProxyTerms;
import org.jspecify.annotations.Nullable;

/**
 * What to delegate to a service of our own kind.
 *
 * @param id 1 to 128 safe characters; null for the one that the service gives
 * @param key the kind of key that the service is to use; null for its default
 * @param rules who may acquire; null for what the service does by default
 * @param terms of the proxy that is signed
 */
public record DelegationWish(
    @Nullable String id, @Nullable KeyKind key, @Nullable AcquireRules rules, ProxyTerms terms) {}
