package dev.staithe.http;

/** A header field as it goes over the wire. */
public record HeaderField(String name, String value) {}
