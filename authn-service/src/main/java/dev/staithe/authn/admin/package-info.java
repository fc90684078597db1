/** Administration by REST: users, groups, clients and sessions. */
@NullMarked
package dev.staithe.authn.admin;

import org.jspecify.annotations.NullMarked;
