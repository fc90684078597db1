/** WS-Trust: contexts that clients ask for, renew and cancel; whom to believe; what came before. */
@NullMarked
package dev.staithe.gateway.trust;

import org.jspecify.annotations.NullMarked;
