package dev.staithe.gateway.wss;

import dev.staithe.pki.Credential;
import java.util.List;
import java.util.Map;
import javax.security.auth.callback.Callback;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.engine.WSSecurityEngine;
import org.apache.wss4j.dom.engine.WSSecurityEngineResult;
import org.apache.wss4j.dom.handler.RequestData;
import org.apache.wss4j.dom.handler.WSHandlerResult;
import org.apache.wss4j.dom.validate.NoOpValidator;
import org.w3c.dom.Document;

/** WSS4J as the side that reads an answer. */
final class Acceptor {
  /** What WSS4J made of an answer. */
  record Read(Document document, WSHandlerResult results) {
    String body() {
      return new String(Initiator.write(document), java.nio.charset.StandardCharsets.UTF_8);
    }

    List<WSSecurityEngineResult> signatures() {
      return results
          .getActionResults()
          .getOrDefault(
              results.getActionResults().containsKey(WSConstants.UT_SIGN)
                  ? WSConstants.UT_SIGN
                  : WSConstants.SIGN,
              List.of());
    }
  }

  private final Credential own;
  private final Map<String, byte[]> secrets;

  Acceptor(Credential own, Map<String, byte[]> secrets) {
    this.own = own;
    this.secrets = secrets;
  }

  Read read(byte[] message) throws Exception {
    Document document =
        Initiator.parse(new String(message, java.nio.charset.StandardCharsets.UTF_8));
    var data = new RequestData();
    var config = WSSConfig.getNewInstance();
    config.setValidator(WSConstants.SIGNATURE, new NoOpValidator());
    data.setWssConfig(config);
    data.setSigVerCrypto(Initiator.crypto(own));
    data.setDecCrypto(Initiator.crypto(own));
    data.setDisableBSPEnforcement(true);
    data.setAllowUsernameTokenNoPassword(true);
    data.setCallbackHandler(this::answer);
    return new Read(document, new WSSecurityEngine().processSecurityHeader(document, data));
  }

  private void answer(Callback[] callbacks) {
    for (Callback each : callbacks) {
      if (each instanceof WSPasswordCallback asked) {
        byte[] secret = secrets.get(asked.getIdentifier());
        if (secret != null) {
          asked.setKey(secret.clone());
        } else {
          asked.setPassword(
              Parties.USER.equals(asked.getIdentifier()) ? Parties.PASSWORD : "secret");
        }
      }
    }
  }
}
