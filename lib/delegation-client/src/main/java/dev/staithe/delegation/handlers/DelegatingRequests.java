package dev.staithe.delegation.handlers;

import dev.staithe.delegation.client.DelegationRefusal;
import dev.staithe.delegation.client.Outcome;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Delegates once in a session, and tells each call of a {@code RestClient} where and what, in the
 * fields {@code Delegation-Service} and {@code Delegation-ID}. A call whose delegation cannot be
 * made is not sent. Thread-safe.
 */
public final class DelegatingRequests implements ClientHttpRequestInterceptor {
  private final Delegator delegator;

  /** For {@code RestClient.Builder.requestInterceptor}. */
  public DelegatingRequests(Delegator delegator) {
    this.delegator = delegator;
  }

  @Override
  public ClientHttpResponse intercept(
      HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
    Optional<Outcome<Notice>> notice = delegator.notice(request.getURI());
    if (notice.isPresent()) {
      switch (notice.get()) {
        case Outcome.Done<Notice>(Notice told) -> {
          HttpHeaders fields = request.getHeaders();
          fields.set(Notice.SERVICE_FIELD, told.service());
          fields.set(Notice.ID_FIELD, told.id());
        }
        case Outcome.Refused<Notice>(DelegationRefusal refusal) ->
            throw new NothingDelegated(refusal);
      }
    }
    return execution.execute(request, body);
  }
}
