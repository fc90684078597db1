/**
 * Configurations of other storage elements, read and said in our words: what they allowed, nothing
 * more, and a note wherever it is less. Knows nothing of the running service.
 */
@org.jspecify.annotations.NullMarked
package dev.staithe.storage.imports;
