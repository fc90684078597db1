/** Master keys, in files or in tokens (PKCS#11), and what is sealed by them. */
@NullMarked
package dev.staithe.pki.seal;

import org.jspecify.annotations.NullMarked;
