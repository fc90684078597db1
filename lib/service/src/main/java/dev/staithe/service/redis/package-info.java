/** What services that share something through Redis have in common: connections, and a pool. */
@NullMarked
package dev.staithe.service.redis;

import org.jspecify.annotations.NullMarked;
