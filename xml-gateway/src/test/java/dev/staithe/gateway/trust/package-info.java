@NullMarked
package dev.staithe.gateway.trust;

import org.jspecify.annotations.NullMarked;
