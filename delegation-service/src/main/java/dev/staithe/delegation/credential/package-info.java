/** Delegations: who gave which proxy to this service, and who may have one signed with it. */
@NullMarked
package dev.staithe.delegation.credential;

import org.jspecify.annotations.NullMarked;
