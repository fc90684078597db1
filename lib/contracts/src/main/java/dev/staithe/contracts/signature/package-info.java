/** Keys of parties, and messages that they sign: RFC 9421, RFC 9530, COSE. */
@NullMarked
package dev.staithe.contracts.signature;

import org.jspecify.annotations.NullMarked;
