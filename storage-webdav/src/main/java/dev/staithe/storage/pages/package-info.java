/** Pages for people with a browser: folder listing and sign-in, and the files that they load. */
@NullMarked
package dev.staithe.storage.pages;

import org.jspecify.annotations.NullMarked;
