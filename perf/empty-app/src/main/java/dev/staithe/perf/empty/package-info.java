/**
 * The emptiest web application of Spring Boot with Jetty, to compare start-up time with. The only
 * place below {@code perf} that knows Spring; the harness starts it as a process of its own.
 */
@NullMarked
package dev.staithe.perf.empty;

import org.jspecify.annotations.NullMarked;
