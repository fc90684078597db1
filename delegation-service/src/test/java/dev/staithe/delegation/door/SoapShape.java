package dev.staithe.delegation.door;

import static dev.staithe.delegation.door.SoapCaller.ARC;
import static dev.staithe.delegation.door.SoapCaller.V1;
import static dev.staithe.delegation.door.SoapCaller.V2;
import static dev.staithe.delegation.door.SoapCaller.element;

import dev.staithe.delegation.door.SoapCaller.Answer;
import dev.staithe.xml.XmlText;
import org.w3c.dom.Element;

/** The ways to delegate by SOAP, as their clients do it. */
enum SoapShape {
  GRIDSITE_1(V1) {
    @Override
    Open begin(SoapCaller caller) {
      return open(caller.call(V1, "getNewProxyReq", ""));
    }

    @Override
    Answer put(SoapCaller caller, String id, String chain) {
      return caller.call(V1, "putProxy", element("delegationID", id) + element("proxy", chain));
    }
  },
  GRIDSITE_2(V2) {
    @Override
    Open begin(SoapCaller caller) {
      return open(caller.call(V2, "getNewProxyReq", ""));
    }

    @Override
    Answer put(SoapCaller caller, String id, String chain) {
      return caller.call(V2, "putProxy", element("delegationID", id) + element("proxy", chain));
    }
  },
  ARC_SOAP(ARC) {
    @Override
    Open begin(SoapCaller caller) {
      Answer begun = caller.call(ARC, "DelegateCredentialsInit", "").done();
      return new Open(begun.text("Id"), begun.text("Value"));
    }

    @Override
    Answer put(SoapCaller caller, String id, String chain) {
      return caller.call(
          ARC,
          "UpdateCredentials",
          "<d:DelegatedToken d:Format=\"x509\"><d:Id>"
              + id
              + "</d:Id><d:Value>"
              + XmlText.escape(chain)
              + "</d:Value></d:DelegatedToken>");
    }
  };

  private final String namespace;

  SoapShape(String namespace) {
    this.namespace = namespace;
  }

  /** A request that waits for its proxy. */
  record Open(String id, String request) {}

  private static Open open(Answer answer) {
    Element payload = answer.done().payload();
    return new Open(
        payload.getElementsByTagName("delegationID").item(0).getTextContent(),
        payload.getElementsByTagName("proxyRequest").item(0).getTextContent());
  }

  String namespace() {
    return namespace;
  }

  /** Asks for a request. */
  abstract Open begin(SoapCaller caller);

  abstract Answer put(SoapCaller caller, String id, String chain);

  /** What the description calls a proxy that is not taken. */
  String badProxy() {
    return this == ARC_SOAP ? "ProcessingFault" : "DelegationException";
  }

  /** What it calls an id that stands for nothing of the caller's. */
  String unknown() {
    return this == ARC_SOAP ? "WrongReferenceFault" : "DelegationException";
  }
}
