package dev.staithe.delegation.door;

import dev.staithe.delegation.RunningDelegation;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** All rows of the store, to tell whether something has changed. */
final class Store {
  private static final List<String> TABLES =
      List.of("delegation", "delegation_acquirer", "delegation_request", "delegation_key");

  private Store() {}

  static Map<String, List<String>> rows(RunningDelegation service) {
    var jdbc = JdbcClient.create(service.bean(DataSource.class));
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (String table : TABLES) {
      all.put(
          table,
          jdbc.sql("SELECT * FROM " + table).query().listOfRows().stream()
              .map(Store::text)
              .sorted()
              .toList());
    }
    return all;
  }

  private static String text(Map<String, Object> row) {
    Map<String, String> told = new TreeMap<>();
    row.forEach(
        (name, value) ->
            told.put(
                name,
                value instanceof byte[] bytes
                    ? HexFormat.of().formatHex(bytes)
                    : String.valueOf(value)));
    return told.toString();
  }
}
