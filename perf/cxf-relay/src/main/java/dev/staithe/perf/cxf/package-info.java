/**
 * Apache CXF as a relay: it takes the protection off requests by the same policies as the gateway,
 * asks a plain back end over kept connections, and protects the answers. The harness starts it as a
 * process of its own; nothing else knows it.
 */
@NullMarked
package dev.staithe.perf.cxf;

import org.jspecify.annotations.NullMarked;
