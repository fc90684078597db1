/** What all services are told in the same words; records check themselves. */
@NullMarked
package dev.staithe.service.properties;

import org.jspecify.annotations.NullMarked;
