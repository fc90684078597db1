/** What a host says of itself, the rules that it is compared by, and the quote of its TPM. */
@NullMarked
package dev.staithe.contracts.host;

import org.jspecify.annotations.NullMarked;
