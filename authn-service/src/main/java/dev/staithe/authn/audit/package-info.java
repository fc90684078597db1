/** The audit log: who did what, one JSON object a line. */
@NullMarked
package dev.staithe.authn.audit;

import org.jspecify.annotations.NullMarked;
