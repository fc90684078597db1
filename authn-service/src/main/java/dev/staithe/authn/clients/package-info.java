/** Clients of OAuth 2, their secrets, and the scopes that they and users may have. */
@NullMarked
package dev.staithe.authn.clients;

import org.jspecify.annotations.NullMarked;
