package dev.staithe.s3;

import dev.staithe.s3.S3Failure.Kind;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an engine's refusal means, and how it is said. */
final class S3Errors {
  private static final Pattern CODE = Pattern.compile("[A-Za-z0-9.]{1,64}");

  private S3Errors() {}

  /** What is wrong with an answer; null where nothing is, or its status is among those to pass. */
  static @Nullable S3Failure failure(
      S3Endpoint endpoint,
      EngineClock clock,
      S3Request request,
      S3Answer answer,
      Set<Integer> pass) {
    if (answer.status() < 300) {
      return hidden(endpoint, clock, request, answer);
    }
    String code = code(answer);
    // An object that is not there, in a bucket that is not there, is no object that is not there.
    if (pass.contains(answer.status()) && !code.equals("NoSuchBucket")) {
      return null;
    }
    return failure(endpoint, clock, request, answer.status(), code);
  }

  /** Completions and copies may fail after their head was sent: 200, with an error as the body. */
  private static @Nullable S3Failure hidden(
      S3Endpoint endpoint, EngineClock clock, S3Request request, S3Answer answer) {
    String code = request.slow() ? code(answer) : "";
    return code.isEmpty() ? null : failure(endpoint, clock, request, 500, code);
  }

  /** The code of an error, empty where there is none that can be read. */
  static String code(S3Answer answer) {
    if (answer.body().length == 0) {
      return "";
    }
    String code = S3Xml.errorCode(answer.body());
    return CODE.matcher(code).matches() ? code : "";
  }

  private static S3Failure failure(
      S3Endpoint endpoint, EngineClock clock, S3Request request, int status, String code) {
    String who = "the object store " + endpoint.hostPort();
    String said = status + (code.isEmpty() ? "" : " " + code) + " to " + request.method();
    return switch (kind(clock, status, code)) {
      case BUSY -> new S3Failure(Kind.BUSY, who + " asks for patience: " + said);
      case FAILED -> new S3Failure(Kind.FAILED, who + " failed: " + said);
      case CLOCK ->
          new S3Failure(
              Kind.CLOCK, who + " refuses, as its clock is " + clock.difference() + ": " + said);
      case DENIED ->
          new S3Failure(
              Kind.DENIED, who + " does not accept the credentials, or they do not do: " + said);
      case NO_BUCKET ->
          new S3Failure(Kind.NO_BUCKET, who + " has no bucket " + endpoint.bucket() + ": " + said);
      case CORRUPTED ->
          new S3Failure(Kind.CORRUPTED, who + " received other bytes than were sent: " + said);
      case FULL -> new S3Failure(Kind.FULL, who + " has no room left: " + said);
      case REFUSED, UNREACHABLE, MALFORMED ->
          new S3Failure(Kind.REFUSED, who + " refuses: " + said);
    };
  }

  private static Kind kind(EngineClock clock, int status, String code) {
    return switch (code) {
      case "SlowDown",
          "ServiceUnavailable",
          "RequestTimeout",
          "OperationAborted",
          "ConditionalRequestConflict",
          "TooManyRequests",
          "Busy" ->
          Kind.BUSY;
      case "RequestTimeTooSkewed" -> Kind.CLOCK;
      case "NoSuchBucket" -> Kind.NO_BUCKET;
      case "BadDigest", "XAmzContentSHA256Mismatch", "InvalidDigest" -> Kind.CORRUPTED;
      case "QuotaExceeded", "InsufficientStorage", "XMinioStorageFull" -> Kind.FULL;
      case "ExpiredToken", "InvalidToken", "InvalidAccessKeyId", "SignatureDoesNotMatch" ->
          Kind.DENIED;
      default ->
          switch (status) {
            // What answers HEAD has no room for a code.
            case 401, 403 -> code.isEmpty() && clock.mayBeRefused() ? Kind.CLOCK : Kind.DENIED;
            case 429, 503 -> Kind.BUSY;
            case 507 -> Kind.FULL;
            default -> status >= 500 && status != 501 ? Kind.FAILED : Kind.REFUSED;
          };
    };
  }
}
