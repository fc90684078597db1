package dev.staithe.wss.policy;

import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.w3c.dom.Element;

/**
 * One assertion, with the one alternative of the policy nested in it.
 *
 * @param name its element's
 * @param optional whether it may be left out ({@code wsp:Optional})
 * @param attributes those that WS-Policy does not define
 * @param parameters child elements that are no policy
 * @param nested the assertions of the nested policy; empty too where there is none
 */
record Assertion(
    QName name,
    boolean optional,
    Map<QName, String> attributes,
    List<Element> parameters,
    List<Assertion> nested) {
  Assertion {
    attributes = Map.copyOf(attributes);
    parameters = List.copyOf(parameters);
    nested = List.copyOf(nested);
  }
}
