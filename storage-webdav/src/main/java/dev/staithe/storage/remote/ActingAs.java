package dev.staithe.storage.remote;

import java.time.Instant;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;

/**
 * A person whom one copy acts for at its passive party. Holds the proxy's key, for as long as the
 * copy has it; nothing of it is written anywhere.
 *
 * @param engines as {@link RemoteClient} takes them, which show the proxy
 * @param notAfter when the proxy ends
 */
public record ActingAs(BiFunction<String, Integer, SSLEngine> engines, Instant notAfter) {}
