package dev.staithe.perf.visit;

import java.io.IOException;

/** Makes requests in the shape that an endpoint demands. For one thread. */
public interface MessageMaker {
  /** One that is unlike all others in what is signed of it. */
  Prepared next() throws IOException;
}
