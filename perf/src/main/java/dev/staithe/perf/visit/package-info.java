/** Visitors who have more to say: campus logins, delegations, secured messages. */
@NullMarked
package dev.staithe.perf.visit;

import org.jspecify.annotations.NullMarked;
