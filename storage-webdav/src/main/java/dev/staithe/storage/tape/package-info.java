/**
 * The WLCG Tape REST API v1, and the mass storage behind it: what is asked to be staged is kept
 * over restarts, recalled by a command of the site's, a few at once, and let go again.
 */
@NullMarked
package dev.staithe.storage.tape;

import org.jspecify.annotations.NullMarked;
