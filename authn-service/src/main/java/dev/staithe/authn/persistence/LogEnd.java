package dev.staithe.authn.persistence;

/**
 * How far the revocation log was read.
 *
 * @param epoch the store's epoch: tokens of another one are not good. It changes when all sessions
 *     are ended at once, and when a store that promises nothing has lost what it knew
 * @param position where to go on; opaque, to be given back as it is
 * @param regressed whether the log has lost entries since the position that was asked for, as after
 *     a restore or a fail-over: then all that it holds was read
 */
public record LogEnd(long epoch, String position, boolean regressed) {}
