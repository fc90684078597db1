/**
 * The embedded Jetty: connections that are shared, slow, lingering or refused, and what proxies
 * say.
 */
@NullMarked
package dev.staithe.service.http;

import org.jspecify.annotations.NullMarked;
