/** The driving side: lean clients for bulk bytes and for many small requests. */
@NullMarked
package dev.staithe.perf.scenario;

import org.jspecify.annotations.NullMarked;
