package dev.staithe.authn.persistence;

import java.time.Instant;

/**
 * What the store knows of a session. Written at login, read to list, count and end sessions and to
 * keep the idle rule between nodes; a validation does not read it.
 *
 * @param id its name
 * @param subject who logged in: the name of the account
 * @param created when, to the millisecond
 * @param expires when it ends at the latest, to the second
 * @param lastUse the last use that was written down, never before {@code created}
 * @param assurance how it was begun
 * @param address where the login came from, as text; empty where that is not known
 * @param client the program that logged in, as it names itself, at most 200 characters; may be
 *     empty
 */
public record Session(
    SessionId id,
    String subject,
    Instant created,
    Instant expires,
    Instant lastUse,
    Assurance assurance,
    String address,
    String client) {}
