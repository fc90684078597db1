/**
 * Speaks with services of delegation in the three languages that they have: delegates to them,
 * renews and ends what was delegated, and acquires a proxy of one's own. Without Spring.
 */
@NullMarked
package dev.staithe.delegation.client;

import org.jspecify.annotations.NullMarked;
