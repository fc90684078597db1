package dev.staithe.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.database.DatabaseProperties;
import dev.staithe.database.Databases;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** H2 as the service opens it. */
class EmbeddedDatabaseTests {
  @TempDir Path state;

  @Test
  void statementsOfTheServiceAreReadAndPlannedOnce() throws Exception {
    assertThat(remembered(null)).isEqualTo("64");
  }

  @ParameterizedTest
  @CsvSource({";QUERY_CACHE_SIZE=8,8", "'',64"})
  void numberInTheUrlCounts(String settings, String expected) throws Exception {
    assertThat(remembered("jdbc:h2:file:" + state.resolve("own") + settings)).isEqualTo(expected);
  }

  private String remembered(String url) throws Exception {
    var properties = new DatabaseProperties(url, "staithe", null, 3);
    try (var databases = new Databases(properties, state, "delegation")) {
      return JdbcClient.create(databases.open("delegation", null))
          .sql(
              "select setting_value from information_schema.settings where setting_name ="
                  + " 'QUERY_CACHE_SIZE'")
          .query(String.class)
          .single();
    }
  }
}
