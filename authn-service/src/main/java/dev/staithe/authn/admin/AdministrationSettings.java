package dev.staithe.authn.admin;

/**
 * Who may change things.
 *
 * @param group whose members may
 * @param secondFactor whether their session must have been begun with a one-time code
 */
public record AdministrationSettings(String group, boolean secondFactor) {}
