/**
 * A sample of a service that acts for its callers: its methods, by Spring's SOAP and REST, know
 * nothing of delegation, which the settings below {@code staithe.delegation} put around them.
 */
@NullMarked
package dev.staithe.echo;

import org.jspecify.annotations.NullMarked;
