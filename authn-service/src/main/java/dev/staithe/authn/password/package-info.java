/** Hashes of passwords, and the threads that compute them. */
@NullMarked
package dev.staithe.authn.password;

import org.jspecify.annotations.NullMarked;
