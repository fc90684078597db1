package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.DelegationFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * The faults that the descriptions name, for requests that are refused before an operation begins:
 * clients of each interface read their own only.
 */
final class NamedFault {
  private NamedFault() {}

  /**
   * The fault of an interface.
   *
   * @param namespace of the interface; where it is none that is spoken here the fault has no detail
   * @param unheard whether the delegations were not asked, which write their own audit lines
   */
  static SoapAnswer.Fault of(@Nullable String namespace, DelegationFault why, boolean unheard) {
    Optional<GridSiteDialect> dialect = GridSiteDialect.of(namespace);
    if (dialect.isPresent()) {
      return GridSiteOperations.fault(dialect.get(), why, unheard);
    }
    return ArcOperations.NAMESPACE.equals(namespace)
        ? ArcOperations.fault(why, unheard)
        : new SoapAnswer.Fault(why, "", unheard);
  }

  /**
   * The namespace of the interface that a request was meant for.
   *
   * @param payload of its body, as far as that was read
   * @param action the header {@code SOAPAction}, which counts only where the body says nothing
   * @return null where neither tells
   */
  static @Nullable String meant(@Nullable QName payload, @Nullable String action) {
    if (payload != null) {
      return payload.getNamespaceURI();
    }
    String told = action == null ? "" : action.strip().replace("\"", "");
    if (ArcOperations.NAMES.contains(told)) {
      return ArcOperations.NAMESPACE;
    }
    for (String namespace : namespaces()) {
      if (told.equals(namespace) || told.startsWith(namespace + "/")) {
        return namespace;
      }
    }
    return null;
  }

  /** All that are spoken here. */
  private static List<String> namespaces() {
    List<String> all = new ArrayList<>();
    for (GridSiteDialect dialect : GridSiteDialect.values()) {
      all.add(dialect.namespace());
    }
    all.add(ArcOperations.NAMESPACE);
    return all;
  }
}
