/**
 * What people see in a browser: login, consent, sessions, devices, logout. Works without script.
 */
@NullMarked
package dev.staithe.authn.pages;

import org.jspecify.annotations.NullMarked;
