@NullMarked
package dev.staithe.gateway.store;

import org.jspecify.annotations.NullMarked;
