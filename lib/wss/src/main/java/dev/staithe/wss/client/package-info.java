/**
 * The side that calls: requests protected as a policy demands, contexts asked for and kept, answers
 * judged before they are believed.
 */
@NullMarked
package dev.staithe.wss.client;

import org.jspecify.annotations.NullMarked;
