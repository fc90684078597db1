/** The log of contracts, as C2SP tlog-tiles, and what proves that it was not changed. */
@NullMarked
package dev.staithe.contracts.log;

import org.jspecify.annotations.NullMarked;
