package dev.staithe.gateway.route;

import dev.staithe.gateway.evidence.Evidence;
import dev.staithe.gateway.trust.PasswordBrake;
import dev.staithe.gateway.trust.ReplayCache;
import dev.staithe.wss.Caller;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of others about a request. All of it is thread-safe.
 *
 * @param certificates whom a chain that TLS showed stands for, end entity first; null for nobody
 * @param bearers whom a token stands for; null for nobody
 * @param brake slows guesses of passwords down
 * @param replays remembers what must never come again
 * @param tellsAccepted whether the audit log has messages that were accepted
 * @param evidence keeps signed messages; null where no endpoint wants that
 * @param clock for what is remembered
 */
public record Judges(
    Function<List<X509Certificate>, Caller.@Nullable Certificate> certificates,
    Function<String, Caller.@Nullable Token> bearers,
    PasswordBrake brake,
    ReplayCache replays,
    boolean tellsAccepted,
    @Nullable Evidence evidence,
    Clock clock) {}
