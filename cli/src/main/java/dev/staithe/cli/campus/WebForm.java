package dev.staithe.cli.campus;

import dev.staithe.cli.program.Service;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A form as it would be sent.
 *
 * @param action where to
 * @param post or else as a query
 * @param fields in their order, with what they hold already
 */
record WebForm(URI action, boolean post, List<Field> fields) {
  WebForm {
    fields = List.copyOf(fields);
  }

  /** A name with its value. */
  record Field(String name, String value) {
    /** Without the value. */
    @Override
    public String toString() {
      return name;
    }
  }

  boolean has(String name) {
    return fields.stream().anyMatch(field -> field.name().equals(name));
  }

  /** The same with some fields filled in. */
  WebForm with(Map<String, String> filled) {
    var all = new ArrayList<Field>();
    for (Field field : fields) {
      String value = filled.get(field.name());
      all.add(value == null ? field : new Field(field.name(), value));
    }
    return new WebForm(action, post, all);
  }

  /** As {@code application/x-www-form-urlencoded}. */
  String encoded() {
    return fields.stream()
        .map(field -> Service.encoded(field.name()) + "=" + Service.encoded(field.value()))
        .collect(Collectors.joining("&"));
  }

  /** Where a form goes that is sent as a query. */
  URI query() {
    String text = action.toString();
    int end = text.indexOf('?');
    return URI.create((end < 0 ? text : text.substring(0, end)) + "?" + encoded());
  }
}
