/** Users, groups, clients, people and audit logs, for administrators. */
@NullMarked
package dev.staithe.cli.administration;

import org.jspecify.annotations.NullMarked;
