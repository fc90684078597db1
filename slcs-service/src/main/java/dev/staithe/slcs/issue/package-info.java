/** From somebody's identity to a certificate: names, rules, the three protocols. */
@NullMarked
package dev.staithe.slcs.issue;

import org.jspecify.annotations.NullMarked;
