package dev.staithe.delegation.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.client.DelegationRefusal;
import dev.staithe.delegation.client.DelegationRefusal.Kind;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ws.context.DefaultMessageContext;
import org.springframework.ws.soap.SoapMessage;
import org.springframework.ws.soap.SoapVersion;
import org.springframework.ws.soap.saaj.SaajSoapMessageFactory;

final class ActingForInterceptorTests {
  private static final Set<Kind> NOT_THE_CALLERS =
      EnumSet.of(Kind.TOO_MANY, Kind.UNAVAILABLE, Kind.LATE, Kind.UNREACHABLE, Kind.BAD_ANSWER);

  private final SaajSoapMessageFactory factory = new SaajSoapMessageFactory();

  ActingForInterceptorTests() {
    factory.afterPropertiesSet();
  }

  @ParameterizedTest
  @EnumSource
  void faultSaysWhoseItIs(Kind kind) {
    var context = new DefaultMessageContext(factory);

    ActingForInterceptor.refuse(context, new DelegationRefusal(kind, "the reason"));

    SoapMessage answer = (SoapMessage) context.getResponse();
    assertThat(answer.getFaultReason()).isEqualTo("the delegation cannot be used: the reason");
    assertThat(answer.getFaultCode())
        .isEqualTo(
            NOT_THE_CALLERS.contains(kind)
                ? SoapVersion.SOAP_11.getServerOrReceiverFaultName()
                : SoapVersion.SOAP_11.getClientOrSenderFaultName());
  }
}
