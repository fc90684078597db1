package dev.staithe.wss;

/**
 * An answer that is to be protected.
 *
 * @param envelope what the back end answered, or a fault of ours: plain SOAP
 * @param reply how
 * @param expectation the policy that the request was judged by, whatever is in force by now
 */
public record Departure(byte[] envelope, Reply reply, Expectation expectation) {}
