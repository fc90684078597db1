package dev.staithe.storage.contracts.host;

import dev.staithe.contracts.signature.Hash;
import dev.staithe.http.HeaderField;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Fields of messages of copies, as signatures see them. */
public final class ContractFields {
  private ContractFields() {}

  /** Values by name in lower case, in the order of the message. */
  public static Map<String, List<String>> map(List<HeaderField> fields) {
    Map<String, List<String>> map = new HashMap<>();
    fields.forEach(
        field ->
            map.computeIfAbsent(field.name().toLowerCase(Locale.ROOT), n -> new ArrayList<>())
                .add(field.value()));
    return map;
  }

  /** SHA-256 of {@code Authorization}, in hexadecimal; empty where there is none. */
  public static String token(List<HeaderField> fields) {
    return fields.stream()
        .filter(field -> field.name().equalsIgnoreCase("Authorization"))
        .map(field -> Hash.of(field.value().getBytes(StandardCharsets.UTF_8)))
        .map(HexFormat.of()::formatHex)
        .findFirst()
        .orElse("");
  }
}
