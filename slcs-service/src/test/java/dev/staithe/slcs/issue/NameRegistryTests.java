package dev.staithe.slcs.issue;

import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class NameRegistryTests extends NameRegistryContract {
  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = new TestDatabase();
  }

  @Override
  DataSource source() {
    return database.source();
  }

  @AfterAll
  static void close() {
    database.close();
  }
}
