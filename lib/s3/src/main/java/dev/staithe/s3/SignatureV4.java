package dev.staithe.s3;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * AWS Signature Version 4 for the service {@code s3}, in a header field and in a query. Safe for
 * use by many threads.
 */
final class SignatureV4 {
  /** In place of a body's digest where the body is not part of what is signed. */
  static final String UNSIGNED = "UNSIGNED-PAYLOAD";

  /** SHA-256 of nothing. */
  static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final String region;
  private volatile @Nullable DayKey key;
  private static volatile Second written = new Second(Long.MIN_VALUE, "");

  /** A second as it is written: many requests have the same. */
  private record Second(long second, String text) {}

  /**
   * Keys are derived for each day, by four digests.
   *
   * @param mac that has the key; each signature is made by a copy
   */
  private record DayKey(S3Credentials of, String day, Mac mac) {}

  SignatureV4(String region) {
    this.region = region;
  }

  /** Time as {@code x-amz-date} has it. */
  static String time(Instant when) {
    Second known = written;
    if (known.second() != when.getEpochSecond()) {
      known = new Second(when.getEpochSecond(), TIME.format(when));
      written = known;
    }
    return known.text();
  }

  /**
   * The value of {@code Authorization}.
   *
   * @param path escaped
   * @param query what is asked, not escaped
   * @param fields all that are signed, with {@code host}, {@code x-amz-date} and {@code
   *     x-amz-content-sha256}; names in lower case
   */
  String authorization(
      S3Credentials credentials,
      String method,
      String path,
      SortedMap<String, String> query,
      SortedMap<String, String> fields) {
    String date = value(fields, "x-amz-date");
    String scope = scope(date);
    String request =
        canonical(method, path, S3Text.query(query), fields, value(fields, "x-amz-content-sha256"));
    return ALGORITHM
        + " Credential="
        + credentials.accessKey()
        + "/"
        + scope
        + ",SignedHeaders="
        + String.join(";", fields.keySet())
        + ",Signature="
        + signature(credentials, date, scope, request);
  }

  /**
   * A query that lets whoever has it make that one request.
   *
   * @param host as the client will send it
   * @param life seconds, at most a week
   * @param more what is asked beside, not escaped
   */
  String presigned(
      S3Credentials credentials,
      String method,
      String host,
      String path,
      Instant now,
      Duration life,
      Map<String, String> more) {
    String date = time(now);
    String scope = scope(date);
    SortedMap<String, String> query = new TreeMap<>(more);
    query.put("X-Amz-Algorithm", ALGORITHM);
    query.put("X-Amz-Credential", credentials.accessKey() + "/" + scope);
    query.put("X-Amz-Date", date);
    query.put("X-Amz-Expires", Long.toString(life.toSeconds()));
    query.put("X-Amz-SignedHeaders", "host");
    if (!credentials.sessionToken().isEmpty()) {
      query.put("X-Amz-Security-Token", credentials.sessionToken());
    }
    SortedMap<String, String> fields = new TreeMap<>(Map.of("host", host));
    String asked = S3Text.query(query);
    String request = canonical(method, path, asked, fields, UNSIGNED);
    return asked + "&X-Amz-Signature=" + signature(credentials, date, scope, request);
  }

  private static String value(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " must be signed");
    }
    return value;
  }

  private static String canonical(
      String method, String path, String query, SortedMap<String, String> fields, String payload) {
    StringBuilder text = new StringBuilder(512);
    text.append(method).append('\n').append(path).append('\n');
    text.append(query).append('\n');
    fields.forEach(
        (name, value) -> text.append(name).append(':').append(trimmed(value)).append('\n'));
    text.append('\n').append(String.join(";", fields.keySet())).append('\n').append(payload);
    return text.toString();
  }

  /** A value as it is signed: blanks in a row are one there. */
  private static String trimmed(String value) {
    String stripped = value.strip();
    return stripped.contains("  ") ? stripped.replaceAll(" +", " ") : stripped;
  }

  private String scope(String date) {
    return date.substring(0, 8) + "/" + region + "/s3/aws4_request";
  }

  private String signature(S3Credentials credentials, String date, String scope, String request) {
    // As the fields are sent; all else of a request is ASCII.
    String digest = hex(sha256(request.getBytes(StandardCharsets.ISO_8859_1)));
    String text = ALGORITHM + "\n" + date + "\n" + scope + "\n" + digest;
    return hex(macOf(credentials, date.substring(0, 8)).doFinal(bytes(text)));
  }

  private Mac macOf(S3Credentials credentials, String day) {
    DayKey known = key;
    if (known == null || !known.day().equals(day) || !known.of().equals(credentials)) {
      byte[] first = hmac(bytes("AWS4" + credentials.secretKey()), day);
      byte[] last = hmac(hmac(hmac(first, region), "s3"), "aws4_request");
      known = new DayKey(credentials, day, mac(last));
      key = known;
    }
    try {
      return (Mac) known.mac().clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("this Java runtime copies no HmacSHA256", e);
    }
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] sha256(byte[] bytes) {
    return digest("SHA-256").digest(bytes);
  }

  static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no " + algorithm, e);
    }
  }

  private static byte[] hmac(byte[] key, String text) {
    return mac(key).doFinal(bytes(text));
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HmacSHA256", e);
    }
  }
}
