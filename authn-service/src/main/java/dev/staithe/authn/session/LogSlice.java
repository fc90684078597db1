package dev.staithe.authn.session;

import java.util.List;

/**
 * What was read of the revocation log.
 *
 * @param epoch the store's epoch: tokens of another one are not good. It changes when all sessions
 *     are ended at once, and when a store that promises nothing has lost what it knew
 * @param entries those after the position that was asked for, possibly some of them again
 * @param position where to go on; opaque, to be given back as it is
 * @param regressed whether the log has lost entries since the position that was asked for, as after
 *     a restore or a fail-over: then {@code entries} are all that it holds
 */
public record LogSlice(long epoch, List<Revocation> entries, String position, boolean regressed) {}
