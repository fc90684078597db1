/**
 * What programs ask: login, validation and logout, in front of the servlets so that a validation
 * costs little.
 */
@NullMarked
package dev.staithe.authn.rest;

import org.jspecify.annotations.NullMarked;
