package dev.staithe.delegation.door;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces of GridSite delegation. What clients send differs in the namespace only, and what
 * they read in little more.
 */
enum GridSiteDialect {
  /** Version 1.1, rpc/literal: GridSite's own server and clients. */
  V1("http://www.gridsite.org/namespaces/delegation-1", "1.1.0", "getProxyReqReturn", "message"),
  /**
   * Versions 2.0, rpc/literal, and 2.1, document/literal, which share a namespace: gLite, FTS,
   * davix, ARC.
   */
  V2("http://www.gridsite.org/namespaces/delegation-2", "2.1.0", "getProxyReqReturn", "msg"),
  /** The draft before them, of which early CREAM and ARC's server are left. */
  DRAFT("http://www.gridsite.org/ns/delegation.wsdl", "1.0.0", "request", "message");

  private final String namespace;
  private final String version;
  private final String requestPart;
  private final String faultPart;

  GridSiteDialect(String namespace, String version, String requestPart, String faultPart) {
    this.namespace = namespace;
    this.version = version;
    this.requestPart = requestPart;
    this.faultPart = faultPart;
  }

  /** The one of a namespace. */
  static Optional<GridSiteDialect> of(@Nullable String namespace) {
    for (GridSiteDialect dialect : values()) {
      if (dialect.namespace.equals(namespace)) {
        return Optional.of(dialect);
      }
    }
    return Optional.empty();
  }

  /** Of operations, answers and the fault; what is in them has none. */
  String namespace() {
    return namespace;
  }

  /** What {@code getInterfaceVersion} answers. */
  String version() {
    return version;
  }

  /** What holds the request in the answer to {@code getProxyReq}. */
  String requestPart() {
    return requestPart;
  }

  /** What holds the line in a {@code DelegationException}. */
  String faultPart() {
    return faultPart;
  }
}
