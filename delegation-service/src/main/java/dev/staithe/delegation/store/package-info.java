/** What all nodes know of delegations, in a relational database. */
@NullMarked
package dev.staithe.delegation.store;

import org.jspecify.annotations.NullMarked;
