/** WS-Policy and WS-SecurityPolicy: what an endpoint demands, read from its published document. */
@NullMarked
package dev.staithe.wss.policy;

import org.jspecify.annotations.NullMarked;
