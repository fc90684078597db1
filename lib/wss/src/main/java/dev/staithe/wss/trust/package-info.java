/**
 * The messages of WS-Trust by which contexts are asked for, renewed and cancelled, as services and
 * clients read and write them.
 */
@NullMarked
package dev.staithe.wss.trust;

import org.jspecify.annotations.NullMarked;
