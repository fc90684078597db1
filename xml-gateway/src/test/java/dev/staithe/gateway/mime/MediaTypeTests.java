package dev.staithe.gateway.mime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        "<a>\u00e9</a>",
        " <a>\u00e9</a>",
        "<?xml version='1.0'?><a>\u00e9</a>",
        "<\u00e9/>",
      })
  void documentThatSaysNothingIsInWhatHttpSays(String document) {
    byte[] latin = document.getBytes(StandardCharsets.ISO_8859_1);
    for (String type :
        new String[] {"text/xml;charset=iso-8859-1", "text/xml; Charset=\"ISO-8859-1\""}) {
      assertThat(new String(MediaType.utf8(type, latin), StandardCharsets.UTF_8))
          .isEqualTo(document);
    }
    for (String type :
        new String[] {
          "text/xml", "text/xml;charset=utf-8", "multipart/related;charset=iso-8859-1"
        }) {
      assertThat(MediaType.utf8(type, latin)).isSameAs(latin);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "UTF-8, <?xml version='1.0' encoding='UTF-8'?><a>\u00e9</a>",
    "ISO-8859-1, <?xml version='1.0' encoding='ISO-8859-1'?><a>\u00e9</a>",
    "UTF-8, \uFEFF<a>\u00e9</a>",
    "UTF-16BE, \uFEFF<a>\u00e9</a>",
    "UTF-16LE, \uFEFF<a>\u00e9</a>",
    "UTF-16LE, <a>\u00e9</a>",
    "UTF-16BE, <a>\u00e9</a>",
    "UTF-8, ''",
  })
  void documentThatSaysWhatItIsInStaysAsItIs(String encoding, String document) {
    byte[] octets = document.getBytes(Charset.forName(encoding));
    assertThat(MediaType.utf8("text/xml;charset=iso-8859-1", octets)).isSameAs(octets);
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
