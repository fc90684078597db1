/** Who logged in, and for how long: sessions that all nodes share, however they were begun. */
@NullMarked
package dev.staithe.slcs.session;

import org.jspecify.annotations.NullMarked;
