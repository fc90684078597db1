/** The engine on WSS4J's document tree, which takes every accepted form. */
@NullMarked
package dev.staithe.gateway.wss;

import org.jspecify.annotations.NullMarked;
