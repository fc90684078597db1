package dev.staithe.slcs.session;

import java.net.URI;
import java.time.Duration;

/**
 * How long logins last.
 *
 * @param url of this service, without a slash at its end
 * @param idle after how long without use a session ends
 * @param longest after how long it ends anyway
 * @param recheck for how long a node may go on with a session that was ended at another
 * @param bound whether a session holds only with the TLS client key that it began with, where there
 *     was one
 */
public record SessionSettings(
    URI url, Duration idle, Duration longest, Duration recheck, boolean bound) {}
