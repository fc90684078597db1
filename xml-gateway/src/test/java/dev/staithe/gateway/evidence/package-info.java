@NullMarked
package dev.staithe.gateway.evidence;

import org.jspecify.annotations.NullMarked;
