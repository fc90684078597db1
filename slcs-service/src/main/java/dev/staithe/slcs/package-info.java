/** Short-lived certificates and SAML: the service and its settings. */
@NullMarked
package dev.staithe.slcs;

import org.jspecify.annotations.NullMarked;
