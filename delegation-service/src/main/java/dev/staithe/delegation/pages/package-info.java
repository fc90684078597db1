/** What people see. */
@NullMarked
package dev.staithe.delegation.pages;

import org.jspecify.annotations.NullMarked;
