package dev.staithe.storage.tpc;

/** A header field as it goes over the wire. */
record HeaderField(String name, String value) {}
