/** Credential and delegation services and gateways that are measured beside each other. */
@NullMarked
package dev.staithe.perf.services;

import org.jspecify.annotations.NullMarked;
