/**
 * Delegates, and acts for whoever delegated, around the calls of Spring's SOAP and REST stacks; the
 * methods that are called know nothing of it. Switched on by settings below {@code
 * staithe.delegation}.
 */
@NullMarked
package dev.staithe.delegation.handlers;

import org.jspecify.annotations.NullMarked;
