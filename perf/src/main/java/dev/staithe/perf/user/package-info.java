/** Users of a session service, who log in, ask and log out, and who may think between. */
@NullMarked
package dev.staithe.perf.user;

import org.jspecify.annotations.NullMarked;
