/** The one place that makes XML parsers. */
@NullMarked
package dev.staithe.xml;

import org.jspecify.annotations.NullMarked;
