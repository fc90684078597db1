package dev.staithe.authn.persistence;

import java.util.List;

/**
 * What was read of the revocation log, where that is little.
 *
 * @param epoch as in {@link LogEnd}
 * @param entries those after the position that was asked for, possibly some of them again
 * @param position as in {@link LogEnd}
 * @param regressed as in {@link LogEnd}
 */
public record LogSlice(long epoch, List<Revocation> entries, String position, boolean regressed) {}
