package dev.staithe.s3;

import dev.staithe.http.Fields;
import org.jspecify.annotations.Nullable;

/**
 * An answer that was read to its end.
 *
 * @param status as it came
 * @param fields of its head
 * @param body perhaps empty
 * @param attempt from 1: with 2 or more an earlier one may have had its effect
 */
record S3Answer(int status, Fields fields, byte[] body, int attempt) {
  @Nullable String field(String name) {
    return fields.first(name);
  }
}
