/** What operators see, asked for as a browser does. */
@NullMarked
package dev.staithe.gateway.pages;

import org.jspecify.annotations.NullMarked;
