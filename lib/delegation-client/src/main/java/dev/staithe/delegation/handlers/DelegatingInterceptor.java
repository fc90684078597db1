package dev.staithe.delegation.handlers;

import dev.staithe.delegation.client.DelegationRefusal;
import dev.staithe.delegation.client.Outcome;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.ws.client.WebServiceIOException;
import org.springframework.ws.client.support.interceptor.ClientInterceptor;
import org.springframework.ws.context.MessageContext;
import org.springframework.ws.transport.WebServiceConnection;
import org.springframework.ws.transport.context.TransportContext;
import org.springframework.ws.transport.context.TransportContextHolder;

/**
 * Delegates once in a session, and tells each SOAP call where and what. A call whose delegation
 * cannot be made is not sent. Thread-safe.
 */
public final class DelegatingInterceptor implements ClientInterceptor {
  private final Delegator delegator;
  private final DelegationPlace where;

  /**
   * For {@code WebServiceTemplate.setInterceptors}.
   *
   * @param where in the message
   */
  public DelegatingInterceptor(Delegator delegator, DelegationPlace where) {
    this.delegator = delegator;
    this.where = where;
  }

  @Override
  public boolean handleRequest(MessageContext context) {
    Optional<Outcome<Notice>> notice = delegator.notice(called());
    if (notice.isPresent()) {
      switch (notice.get()) {
        case Outcome.Done<Notice>(Notice told) ->
            SoapNotice.write(told, context.getRequest(), where);
        case Outcome.Refused<Notice>(DelegationRefusal refusal) -> {
          var nothing = new NothingDelegated(refusal);
          // Spring makes the fault for a caller of this message, without that of the cause.
          throw new WebServiceIOException(String.valueOf(nothing.getMessage()), nothing);
        }
      }
    }
    return true;
  }

  private static URI called() {
    TransportContext transport = TransportContextHolder.getTransportContext();
    WebServiceConnection connection = transport == null ? null : transport.getConnection();
    try {
      URI called = connection == null ? null : connection.getUri();
      if (called != null) {
        return called;
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a connection without an address", e);
    }
    throw new IllegalStateException("a call without a connection");
  }

  @Override
  public boolean handleResponse(MessageContext context) {
    return true;
  }

  @Override
  public boolean handleFault(MessageContext context) {
    return true;
  }

  @Override
  public void afterCompletion(MessageContext context, @Nullable Exception failure) {
    // Nothing is held for a call.
  }
}
