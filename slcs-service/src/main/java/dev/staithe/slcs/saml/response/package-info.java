/** Whether what a campus says is believed: its form, its signature, its conditions, its replay. */
@NullMarked
package dev.staithe.slcs.saml.response;

import org.jspecify.annotations.NullMarked;
