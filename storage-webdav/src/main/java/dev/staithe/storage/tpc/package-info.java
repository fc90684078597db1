/** Third-party copy (HTTP-TPC). */
@NullMarked
package dev.staithe.storage.tpc;

import org.jspecify.annotations.NullMarked;
