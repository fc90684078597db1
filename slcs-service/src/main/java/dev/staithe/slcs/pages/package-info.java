/** What people see. */
@NullMarked
package dev.staithe.slcs.pages;

import org.jspecify.annotations.NullMarked;
