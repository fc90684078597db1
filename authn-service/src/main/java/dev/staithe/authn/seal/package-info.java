/**
 * What the nodes seal with the keys that they share, so that any of them knows it again: texts with
 * a MAC, and notes that a client carries. Knows no other package.
 */
@NullMarked
package dev.staithe.authn.seal;

import org.jspecify.annotations.NullMarked;
