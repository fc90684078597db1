/** Delegation of X.509 proxies: the service and its settings. */
@NullMarked
package dev.staithe.delegation;

import org.jspecify.annotations.NullMarked;
