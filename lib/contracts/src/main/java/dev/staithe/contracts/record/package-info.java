/** What is kept of a contract: fields, statements, what an auditor exports. */
@NullMarked
package dev.staithe.contracts.record;

import org.jspecify.annotations.NullMarked;
