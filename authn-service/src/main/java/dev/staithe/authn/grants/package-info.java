/**
 * What users and administrators granted: kept, told, ended, and what of a session it comes from.
 */
@NullMarked
package dev.staithe.authn.grants;

import org.jspecify.annotations.NullMarked;
