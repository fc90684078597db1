@NullMarked
package dev.staithe.authn.session;

import org.jspecify.annotations.NullMarked;
