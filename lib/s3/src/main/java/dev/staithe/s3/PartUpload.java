package dev.staithe.s3;

/**
 * An upload in parts that the engine has begun.
 *
 * @param key that the object will have
 * @param id by which the engine knows it
 * @param mark that the object will carry in its metadata: by it a completion whose answer was lost
 *     is told from another's object
 */
public record PartUpload(String key, String id, String mark) {}
