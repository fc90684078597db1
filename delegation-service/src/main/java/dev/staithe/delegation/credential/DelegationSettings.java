package dev.staithe.delegation.credential;

import java.time.Duration;

/**
 * What is taken and given.
 *
 * @param usual rules of a delegation whose owner gives none; their longest lifetime is the most
 *     that an owner can allow
 * @param kind of key where a client asks for none
 * @param longestLifetime of a proxy that is put
 * @param mostPerOwner delegations at once
 * @param mostRequestsPerOwner requests at once that wait for a proxy
 * @param requestLifetime how long one waits
 */
public record DelegationSettings(
    AcquireRules usual,
    KeyChoice kind,
    Duration longestLifetime,
    int mostPerOwner,
    int mostRequestsPerOwner,
    Duration requestLifetime) {}
