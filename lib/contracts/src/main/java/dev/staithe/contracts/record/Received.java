package dev.staithe.contracts.record;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import java.text.ParseException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a receiver says of the bytes that came.
 *
 * @param kept whether it took them; else it threw them away
 * @param size in bytes
 * @param sha256 of the bytes
 * @param time when all had come
 */
public record Received(boolean kept, long size, byte[] sha256, Instant time) {
  /** As JSON. */
  public String encode() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("state", kept ? "received" : "refused");
    json.put("size", size);
    json.put("sha-256", Base64.getEncoder().encodeToString(sha256));
    json.put("time", time.toString());
    return JSONObjectUtils.toJSONString(json);
  }

  /**
   * Reads it.
   *
   * @throws BadSignature where it is none
   */
  public static Received parse(String text) throws BadSignature {
    try {
      Map<String, Object> json = JSONObjectUtils.parse(text, Statement.MOST_BYTES);
      String state = JSONObjectUtils.getString(json, "state");
      String digest = JSONObjectUtils.getString(json, "sha-256");
      String time = JSONObjectUtils.getString(json, "time");
      if (state != null && state.matches("received|refused") && digest != null && time != null) {
        byte[] sha256 = Base64.getDecoder().decode(digest);
        if (sha256.length == Hash.BYTES) {
          return new Received(
              state.equals("received"),
              JSONObjectUtils.getLong(json, "size"),
              sha256,
              Instant.parse(time));
        }
      }
    } catch (ParseException | IllegalArgumentException | DateTimeParseException malformed) {
      // Told below.
    }
    throw new BadSignature("the receipt says neither state, size, sha-256 nor time as it should");
  }

  /** Whether these bytes are those. */
  public boolean of(long otherSize, byte[] otherSha256) {
    return size == otherSize && Arrays.equals(sha256, otherSha256);
  }
}
