package dev.staithe.peers;

import java.net.URI;
import java.nio.file.Path;

/** An object store of others that runs here, for whoever has its keys. */
public interface ObjectEngine extends AutoCloseable {
  /** Where it listens. */
  URI endpoint();

  /** The file with its credentials, as tools of object stores have it. */
  Path credentialsFile();

  /** Ends it and deletes its folder. */
  @Override
  void close();
}
