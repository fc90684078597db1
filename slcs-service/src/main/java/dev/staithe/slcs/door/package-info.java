/** What all ways into the service share: who asks, from which page, and how answers look. */
@NullMarked
package dev.staithe.slcs.door;

import org.jspecify.annotations.NullMarked;
