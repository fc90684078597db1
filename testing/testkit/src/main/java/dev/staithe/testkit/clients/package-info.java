/** The programs of others that call our services. */
@NullMarked
package dev.staithe.testkit.clients;

import org.jspecify.annotations.NullMarked;
