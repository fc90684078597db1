/** The study of the session service. */
@NullMarked
package dev.staithe.perf.session;

import org.jspecify.annotations.NullMarked;
