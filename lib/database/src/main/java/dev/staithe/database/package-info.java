/** The relational databases of services: settings, pools, migrations. */
@NullMarked
package dev.staithe.database;

import org.jspecify.annotations.NullMarked;
