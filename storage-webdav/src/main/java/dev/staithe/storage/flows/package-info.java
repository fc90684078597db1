/**
 * Marks the network flows of transfers for those who run the network (SciTags): which experiment
 * and activity the bytes between two addresses belong to.
 */
@NullMarked
package dev.staithe.storage.flows;

import org.jspecify.annotations.NullMarked;
