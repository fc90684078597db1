/** The engine on the document tree, against WSS4J as initiator and xmlsec1 as judge. */
@NullMarked
package dev.staithe.gateway.wss;

import org.jspecify.annotations.NullMarked;
