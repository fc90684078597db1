/** Commands about a storage element. */
@NullMarked
package dev.staithe.cli.storage;

import org.jspecify.annotations.NullMarked;
