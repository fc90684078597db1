package dev.staithe.slcs.protect;

/** By what somebody is admitted to a service. */
public enum Protection {
  /** By nothing: everybody is. */
  NONE,
  /** By a TLS client certificate that is believed, or a proxy of it. */
  CERTIFICATE,
  /** By a session of somebody who came from an identity provider: a cookie. */
  SAML,
  /** By a session of authn-service: a bearer token. */
  SESSION
}
