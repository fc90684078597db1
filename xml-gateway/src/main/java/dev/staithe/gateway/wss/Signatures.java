package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * The signatures of a message by what they are for.
 *
 * @param main the one that covers the message; null without
 * @param endorsing those that cover the main one
 */
record Signatures(@Nullable SignatureShape main, List<SignatureShape> endorsing) {
  static Signatures sort(
      SecurityHeader header, Expectation expectation, AlgorithmCheck algorithms, Envelope envelope)
      throws RefusedMessage {
    List<SignatureShape> shapes = new ArrayList<>();
    for (Element each : header.signatures()) {
      shapes.add(SignatureShape.read(each, expectation, algorithms));
    }
    SignatureShape main = null;
    List<SignatureShape> endorsing = new ArrayList<>();
    for (SignatureShape each : shapes) {
      boolean endorses =
          shapes.stream().anyMatch(other -> each.covers(other.element(), envelope.identifiers()));
      if (endorses) {
        endorsing.add(each);
      } else if (main == null) {
        main = each;
      } else {
        throw new RefusedMessage(Refusal.POLICY, "more than one signature of the message");
      }
    }
    return new Signatures(main, endorsing);
  }
}
