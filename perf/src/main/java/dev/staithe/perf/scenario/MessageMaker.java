package dev.staithe.perf.scenario;

import java.io.IOException;

/** Makes requests in the shape that an endpoint demands. For one thread. */
interface MessageMaker {
  /** One that is unlike all others in what is signed of it. */
  Prepared next() throws IOException;
}
