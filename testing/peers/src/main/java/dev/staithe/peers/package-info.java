/** Real servers of others, each started in one way, for tests and for measurements. */
@NullMarked
package dev.staithe.peers;

import org.jspecify.annotations.NullMarked;
