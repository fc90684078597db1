/** What authorities do: requests, certificates, revocation lists, answers about status. */
@NullMarked
package dev.staithe.pki.ca;

import org.jspecify.annotations.NullMarked;
