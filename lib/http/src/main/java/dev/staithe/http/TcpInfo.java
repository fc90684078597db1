package dev.staithe.http;

/**
 * What the kernel knows of one TCP connection at one moment ({@code TCP_INFO} of tcp(7)).
 *
 * @param rttMicros smoothed time to the other end and back, by what was sent, microseconds
 * @param leastRttMicros the least of those seen lately, microseconds; 0 where the kernel is too old
 * @param receivedRttMicros the same by what was received, microseconds; 0 where nobody knows
 * @param retransmits segments that were sent once more, in all
 * @param congestionWindow segments that may be under way unacknowledged
 * @param segmentBytes bytes of a segment that is sent
 * @param congestionControl the algorithm that governs what is sent, as {@code cubic}
 */
public record TcpInfo(
    long rttMicros,
    long leastRttMicros,
    long receivedRttMicros,
    long retransmits,
    long congestionWindow,
    long segmentBytes,
    String congestionControl) {}
