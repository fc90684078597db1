/** What the ways into the service share: who asks, and what those are told who must log in. */
@NullMarked
package dev.staithe.slcs.door;

import org.jspecify.annotations.NullMarked;
