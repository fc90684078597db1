/**
 * OAuth 2 and OpenID Connect: clients, grants, signing keys, and what tokens say (WLCG profile
 * 1.3). Uses login, users and session; knows neither pages nor the rest.
 */
@NullMarked
package dev.staithe.authn.oauth;

import org.jspecify.annotations.NullMarked;
