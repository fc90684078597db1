/** The settings of the storage element, each validated when it is read. */
@NullMarked
package dev.staithe.storage.settings;

import org.jspecify.annotations.NullMarked;
