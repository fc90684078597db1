package dev.staithe.database;

import java.nio.file.Path;

/** Of a service that keeps what it knows in relational databases. */
public interface StoredProperties {
  /** Where parts of the service keep their data that have no database of their own. */
  DatabaseProperties database();

  /** The folder of the embedded database, where no other is named. */
  Path state();

  /** The name of the embedded database's file. */
  String databaseName();
}
