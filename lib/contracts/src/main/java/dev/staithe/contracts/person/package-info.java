/** People as parties: what they say of themselves, and who vouches for their keys. */
@NullMarked
package dev.staithe.contracts.person;

import org.jspecify.annotations.NullMarked;
