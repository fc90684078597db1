package dev.staithe.delegation.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.SqlParameterValue;

/** How values stand in columns. */
final class Columns {
  private Columns() {}

  static RequestRow request(ResultSet row, int number) throws SQLException {
    String acquirers = row.getString("acquirers");
    return new RequestRow(
        row.getString("key_digest"),
        row.getString("owner"),
        row.getString("id"),
        row.getString("through"),
        row.getBytes("sealed"),
        row.getBoolean("bound"),
        acquirers == null ? null : rules(row, acquirers),
        Instant.ofEpochMilli(row.getLong("not_after")));
  }

  static DelegationRow delegation(ResultSet row, int number) throws SQLException {
    return new DelegationRow(
        row.getString("owner"),
        row.getString("id"),
        row.getString("through"),
        row.getLong("version"),
        row.getString("key_digest"),
        row.getBytes("sealed"),
        row.getBoolean("bound"),
        row.getString("chain"),
        Instant.ofEpochMilli(row.getLong("not_after")),
        split(row.getString("fqans")),
        rules(row, row.getString("acquirers")),
        row.getInt("used"),
        row.getBoolean("proxy_limited"),
        row.getBoolean("proxy_legacy"),
        integer(row, "path_left"),
        Instant.ofEpochMilli(row.getLong("created")),
        Instant.ofEpochMilli(row.getLong("renewed")));
  }

  static RuleRow rules(ResultSet row, String acquirers) throws SQLException {
    return new RuleRow(
        split(acquirers),
        integer(row, "uses"),
        row.getInt("hops"),
        row.getBoolean("limited"),
        row.getLong("longest"));
  }

  static @Nullable Integer integer(ResultSet row, String column) throws SQLException {
    int value = row.getInt(column);
    return row.wasNull() ? null : value;
  }

  /** Neither names nor FQANs hold an end of a line. */
  static String joined(List<String> values) {
    return String.join("\n", values);
  }

  static List<String> split(String joined) {
    return joined.isEmpty() ? List.of() : List.of(joined.split("\n"));
  }

  static SqlParameterValue text(@Nullable String value) {
    return new SqlParameterValue(Types.VARCHAR, value);
  }

  static SqlParameterValue number(@Nullable Integer value) {
    return new SqlParameterValue(Types.INTEGER, value);
  }
}
