/** Who somebody is: the service provider of SAML 2.0, its metadata and its sessions. */
@NullMarked
package dev.staithe.slcs.saml;

import org.jspecify.annotations.NullMarked;
