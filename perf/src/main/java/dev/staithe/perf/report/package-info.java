/** What comes out of a study: page, plots, tables, comparison of two runs. */
@NullMarked
package dev.staithe.perf.report;

import org.jspecify.annotations.NullMarked;
