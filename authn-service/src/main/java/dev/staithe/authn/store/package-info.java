/**
 * Where sessions are kept so that all nodes know them: PostgreSQL, Redis, and H2 for one node. The
 * promises of each model and engine stand in {@code docs/persistence-models.md}.
 */
@NullMarked
package dev.staithe.authn.store;

import org.jspecify.annotations.NullMarked;
