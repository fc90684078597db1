package dev.staithe.storage.tokens;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How tokens are made.
 *
 * @param keys the file with the keys, which all nodes of a storage element share
 * @param sealingKey the file with what these are sealed by: 32 random bytes in Base64
 * @param usual how long a token is good where nobody asks for a time
 * @param longest that is given
 * @param rotation how long tokens are made with a key; tokens made with it stay good
 */
public record TokenSettings(
    Path keys, Path sealingKey, Duration usual, Duration longest, Duration rotation) {}
