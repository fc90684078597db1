package dev.staithe.delegation.handlers;

import dev.staithe.delegation.client.DelegationRefusal;
import dev.staithe.delegation.client.DelegationRefusal.Kind;
import java.util.Locale;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ws.context.MessageContext;
import org.springframework.ws.soap.SoapBody;
import org.springframework.ws.soap.SoapHeaderElement;
import org.springframework.ws.soap.SoapMessage;
import org.springframework.ws.soap.server.SmartSoapEndpointInterceptor;

/**
 * Takes what a SOAP message tells of a delegation out of it, and lets the call act for its caller:
 * {@link ActingFor#current()} in the method that is called, which need not know of it. A message
 * whose delegation cannot be used is answered with a fault, and the method is not called. Needs
 * {@link ActingForFilter} in front. Thread-safe.
 */
public final class ActingForInterceptor implements SmartSoapEndpointInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(ActingForInterceptor.class);

  private final Delegatee delegatee;

  /** A bean of this type is found by Spring's endpoint mappings. */
  public ActingForInterceptor(Delegatee delegatee) {
    this.delegatee = delegatee;
  }

  @Override
  public boolean shouldIntercept(MessageContext context, Object endpoint) {
    return true;
  }

  @Override
  public boolean understands(SoapHeaderElement header) {
    QName name = header.getName();
    return Notice.SERVICE_ELEMENT.equals(name) || Notice.ID_ELEMENT.equals(name);
  }

  @Override
  public boolean handleRequest(MessageContext context, Object endpoint) {
    SoapNotice.NoticeFields taken = SoapNotice.take(context.getRequest());
    Call call =
        Call.served()
            .orElseThrow(() -> new IllegalStateException("ActingForFilter is not in front"));
    Optional<DelegationRefusal> refusal = delegatee.take(call, taken.services(), taken.ids());
    refusal.ifPresent(why -> refuse(context, why));
    return refusal.isEmpty();
  }

  static void refuse(MessageContext context, DelegationRefusal refusal) {
    LOG.info("A call with a delegation is refused: {} {}", refusal.kind(), refusal.line());
    if (!(context.getResponse() instanceof SoapMessage answer)) {
      throw new IllegalStateException(refusal.line());
    }
    SoapBody body = answer.getSoapBody();
    String line = "the delegation cannot be used: " + refusal.line();
    if (refusal.kind().passes() || refusal.kind() == Kind.BAD_ANSWER) {
      body.addServerOrReceiverFault(line, Locale.ENGLISH);
    } else {
      body.addClientOrSenderFault(line, Locale.ENGLISH);
    }
  }

  @Override
  public boolean handleResponse(MessageContext context, Object endpoint) {
    return true;
  }

  @Override
  public boolean handleFault(MessageContext context, Object endpoint) {
    return true;
  }

  @Override
  public void afterCompletion(
      MessageContext context, Object endpoint, @Nullable Exception failure) {
    // The scope of the call ends with the filter.
  }
}
