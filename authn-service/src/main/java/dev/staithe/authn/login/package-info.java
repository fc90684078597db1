/**
 * Logins: passwords checked in a bounded pool, guesses slowed down, second factors. Uses the users,
 * and of the sessions only how sure a login made us.
 */
@NullMarked
package dev.staithe.authn.login;

import org.jspecify.annotations.NullMarked;
