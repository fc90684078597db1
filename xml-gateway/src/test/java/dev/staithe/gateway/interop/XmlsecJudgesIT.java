package dev.staithe.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.echo.EchoBackEnd;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.HttpTap;
import dev.staithe.testkit.clients.XmlSec1;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What leaves the gateway, judged by xmlsec1. */
final class XmlsecJudgesIT {
  private static final Pattern WRAPPED =
      Pattern.compile("<xenc:EncryptedKey.*?CipherValue>(.*?)</", Pattern.DOTALL);
  private static final Pattern DATA =
      Pattern.compile(
          "<xenc:EncryptedData.*?CipherValue>(.*?)</.*?</xenc:EncryptedData>", Pattern.DOTALL);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(AlgorithmList.class)
  void signatureOfAnAnswerHoldsForXmlsec(AlgorithmList list) throws Exception {
    int port = FreePort.next();
    try (HttpTap tap = HttpTap.before(URI.create("http://127.0.0.1:" + port));
        InteropSite site =
            new InteropSite(
                folder, null, List.of("x509"), InteropSite.withoutTls(port, tap.url("")))) {
      try (CxfClient client =
          site.client(tap.url(InteropSite.path("x509", list)), "1.2", site.caller().credential())
              .policy(BuiltInPolicies.document("x509", list))) {
        client.call(
            "<e:echo xmlns:e=\"%s\"><e:say>Größe</e:say></e:echo>"
                .formatted(EchoBackEnd.NAMESPACE));
      }
      String answer = opened(tap.passed().getLast().response(), site, list);

      assertThat(answer).contains("Größe");
      assertThat(verdict(answer, site)).startsWith("OK").contains("(ok/all): 4/4");
      for (String each : List.of("Größe", "echoResponse</wsa:Action>", "</wsa:RelatesTo>")) {
        assertThat(answer).contains(each);
        assertThat(verdict(answer.replace(each, "x" + each), site)).as(each).doesNotContain("OK");
      }
    }
  }

  private String verdict(String answer, InteropSite site) {
    return new XmlSec1(folder)
        .verdict(
            answer.getBytes(StandardCharsets.UTF_8),
            List.of("--pubkey-cert-pem", site.messages().certificate().toString()),
            List.of(
                Namespaces.WSU + ":Timestamp",
                "http://www.w3.org/2003/05/soap-envelope:Body",
                Namespaces.WSA + ":Action",
                Namespaces.WSA + ":RelatesTo"));
  }

  /** xmlsec1 does not find a key by a thumbprint; that part is the JDK's. */
  private static String opened(byte[] answer, InteropSite site, AlgorithmList list)
      throws Exception {
    String text = new String(answer, StandardCharsets.UTF_8);
    PrivateKey own = site.caller().credential().key();
    Cipher rsa = Cipher.getInstance("RSA/ECB/OAEPWithSHA-1AndMGF1Padding");
    rsa.init(Cipher.DECRYPT_MODE, own);
    byte[] key = rsa.doFinal(found(WRAPPED, text));
    byte[] content = found(DATA, text);
    byte[] plain;
    if (list == AlgorithmList.MODERN) {
      Cipher gcm = Cipher.getInstance("AES/GCM/NoPadding");
      gcm.init(
          Cipher.DECRYPT_MODE,
          new SecretKeySpec(key, "AES"),
          new GCMParameterSpec(128, content, 0, 12));
      plain = gcm.doFinal(content, 12, content.length - 12);
    } else {
      Cipher cbc = Cipher.getInstance("AES/CBC/NoPadding");
      cbc.init(
          Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(content, 0, 16));
      byte[] padded = cbc.doFinal(content, 16, content.length - 16);
      plain = Arrays.copyOf(padded, padded.length - padded[padded.length - 1]);
    }
    return DATA.matcher(text)
        .replaceFirst(Matcher.quoteReplacement(new String(plain, StandardCharsets.UTF_8)));
  }

  private static byte[] found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return Base64.getMimeDecoder().decode(matcher.group(1));
  }
}
