/**
 * What the ways into services share: how bodies and envelopes are read, how answers look, and which
 * pages may ask. Knows nothing of what a service does.
 */
@NullMarked
package dev.staithe.service.door;

import org.jspecify.annotations.NullMarked;
