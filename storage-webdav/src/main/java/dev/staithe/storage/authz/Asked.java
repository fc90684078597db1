package dev.staithe.storage.authz;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, from where and by what: all of a request that a decision may depend on beside path and
 * right.
 *
 * @param caller who, as far as it is proved
 * @param from the client's address; behind a trusted proxy the one that it tells; null where there
 *     is none
 * @param method of the request, such as {@code DELETE}
 */
public record Asked(Caller caller, @Nullable InetAddress from, String method) {}
