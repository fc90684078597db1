/** The page for operators. */
@NullMarked
package dev.staithe.gateway.pages;

import org.jspecify.annotations.NullMarked;
