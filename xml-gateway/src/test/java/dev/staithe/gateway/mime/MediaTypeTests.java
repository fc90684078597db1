package dev.staithe.gateway.mime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypeTests {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/xml",
        "text/xml;charset=utf-8",
        "text/xml; charset=\"UTF-8\"",
        "text/xml;charset=ISO-8859-1;",
        "application/soap+xml; charset=utf-8; action=\"urn:a;b=c\"",
        "application/soap+xml;action=http://a.example/b?c=d",
        "multipart/related; type=\"application/xop+xml\"; boundary=uuid:1-2+id=3;"
            + " start=\"<root@a>\"; start-info=\"application/soap+xml; action=\\\"urn:a\\\"\"",
      })
  void whatClientsSendIsTaken(String type) {
    assertThat(MediaType.isUnambiguous(type)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/xml;charset=utf-7",
        "text/xml;charset=\"ibm037\"",
        "text/xml;charset=utf-8;charset=utf-7",
        "text/xml;charset=utf-8;Charset=utf-8",
        "application/soap+xml;action=\"urn:a\";action=\"urn:b\"",
        "application/soap+xml;x;action=\"urn:b\"",
        "application/soap+xml;action*=utf-8''urn:b",
        "application/soap+xml;action=\"urn:b",
        "application/soap+xml;action=\"urn:a\"b",
        "application/soap+xml action=\"urn:b\"",
        "text/xml, text/plain",
        "text",
        "",
      })
  void whatTwoReadersReadInTwoWaysIsNot(String type) {
    assertThat(MediaType.isUnambiguous(type)).isFalse();
  }
}
