/**
 * Sends clients from a head node to data nodes: the head decides who may, and hands out a ticket
 * for one request at one path; the node takes the ticket instead of a token.
 */
@NullMarked
package dev.staithe.storage.redirect;

import org.jspecify.annotations.NullMarked;
