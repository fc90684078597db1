/** The access log and the audit log, and what keeps lines of the log lines. */
@NullMarked
package dev.staithe.service.log;

import org.jspecify.annotations.NullMarked;
