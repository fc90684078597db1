package dev.staithe.perf.peers;

/** A protocol by which a peer is reached. */
public enum Door {
  /** Without encryption. */
  HTTP,
  /** TLS 1.3. */
  HTTPS,
  /** GridFTP's control connection, data unencrypted. */
  FTP
}
