/**
 * What an operator looks at: health, meters, the report of space, the comparing of files with their
 * checksums, who may what and why.
 */
@NullMarked
package dev.staithe.storage.operation;

import org.jspecify.annotations.NullMarked;
