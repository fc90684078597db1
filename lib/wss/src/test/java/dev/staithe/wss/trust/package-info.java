@NullMarked
package dev.staithe.wss.trust;

import org.jspecify.annotations.NullMarked;
