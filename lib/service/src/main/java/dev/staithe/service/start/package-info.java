/**
 * How a service starts: its main, what every service has by auto-configuration, and what it says
 * then.
 */
@NullMarked
package dev.staithe.service.start;

import org.jspecify.annotations.NullMarked;
