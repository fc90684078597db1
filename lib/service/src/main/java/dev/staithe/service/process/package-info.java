/** What this process has of the machine, and whether it runs short. */
@NullMarked
package dev.staithe.service.process;

import org.jspecify.annotations.NullMarked;
