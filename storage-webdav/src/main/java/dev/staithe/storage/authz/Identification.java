package dev.staithe.storage.authz;

/** What came of looking at a request's credential. */
public sealed interface Identification {
  /** The credential is good, or there is none. */
  record Identified(Caller caller) implements Identification {}

  /** 401 {@code invalid_token} (RFC 6750 section 3.1); {@code reason} is one safe line. */
  record Refused(String reason) implements Identification {}

  /** 400: there is more than one credential; {@code reason} is one safe line. */
  record Ambiguous(String reason) implements Identification {}

  /** 401: the client's certificate is not good; {@code reason} is one safe line. */
  record NotBelieved(String reason) implements Identification {}

  /** 503: the credential cannot be judged now. */
  record Unavailable(String reason, int retryAfterSeconds) implements Identification {}
}
