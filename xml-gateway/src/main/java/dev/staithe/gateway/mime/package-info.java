/** Media types, and messages whose envelope is one part of several (MTOM, XOP). */
@NullMarked
package dev.staithe.gateway.mime;

import org.jspecify.annotations.NullMarked;
