/**
 * The cryptography of XML Signature and XML Encryption by their names of algorithms: once, for
 * whoever opens messages and whoever protects them.
 */
@NullMarked
package dev.staithe.wss.crypto;

import org.jspecify.annotations.NullMarked;
