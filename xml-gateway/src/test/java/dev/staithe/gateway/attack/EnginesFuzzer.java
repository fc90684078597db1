package dev.staithe.gateway.attack;

import dev.staithe.gateway.attack.Stage.Judge;
import dev.staithe.wss.Opening;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.policy.EndpointPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A target for Jazzer: the streaming engine against the document tree. An input's first byte says
 * what the rest is: an envelope as it comes, or the content of a body that Ada signs, so that what
 * lies behind the signature is reached too. A difference of verdicts is thrown.
 */
public final class EnginesFuzzer {
  private static final List<EndpointPolicy> POLICIES =
      List.of(
          Stage.x509(),
          Stage.conversation(),
          Stage.signedOnly(Stage.x509()),
          Stage.signedOnly(Stage.conversation()));
  private static final Stage STAGE = new Stage();

  private EnginesFuzzer() {}

  /** Called by Jazzer for each input. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length < 2) {
      return;
    }
    int kind = input[0] & 0x7;
    EndpointPolicy policy = POLICIES.get(kind & 0x3);
    byte[] rest = new byte[input.length - 1];
    System.arraycopy(input, 1, rest, 0, rest.length);
    if (kind < 4) {
      judge(policy, rest);
    } else {
      signed(policy, new String(rest, StandardCharsets.UTF_8));
    }
  }

  private static void signed(EndpointPolicy policy, String payload) {
    SecuredRequest request;
    try {
      request = STAGE.secured(policy, STAGE.ada, STAGE.context(Stage.ADA_CONTEXT, null), payload);
    } catch (AssertionError | RuntimeException e) {
      // No content of a body.
      return;
    }
    judge(policy, request.envelope());
  }

  private static void judge(EndpointPolicy policy, byte[] envelope) {
    Opening stream = STAGE.stream(policy, envelope);
    Opening dom = STAGE.open(Judge.DOM, policy, envelope);
    String difference = Agreement.difference(stream, dom);
    if (!difference.isEmpty()) {
      throw new IllegalStateException(difference);
    }
  }

  /** Writes good messages, which the fuzzer begins with. */
  static void seed(Path corpus) throws IOException {
    Files.createDirectories(corpus);
    for (int i = 0; i < POLICIES.size(); i++) {
      byte[] good = STAGE.ofAda(POLICIES.get(i)).envelope();
      byte[] input = new byte[good.length + 1];
      input[0] = (byte) i;
      System.arraycopy(good, 0, input, 1, good.length);
      Files.write(corpus.resolve("message-" + i), input);
      String content =
          (char) (4 + i)
              + "<p:a xmlns:p=\"urn:pay\" b='1' p:c=\"&lt;&#9;\"><![CDATA[<&]]><d xmlns=\"urn:d\">"
              + "<e xmlns=\"\"/>\u00e9&#13;</d></p:a>";
      Files.writeString(corpus.resolve("content-" + i), content);
    }
  }
}
