package dev.staithe.authn.grants;

import java.time.Instant;
import java.util.List;

/**
 * An application that acts for a user.
 *
 * @param id of the grant; no credential
 * @param client its id
 * @param name its name for people
 * @param subject the user's name
 * @param scopes what it may, sorted
 * @param since when the user agreed
 * @param expires when it ends at the latest, unless it is used before
 * @param offline whether it goes on when the user's session is over
 */
public record GrantedApplication(
    String id,
    String client,
    String name,
    String subject,
    List<String> scopes,
    Instant since,
    Instant expires,
    boolean offline) {}
