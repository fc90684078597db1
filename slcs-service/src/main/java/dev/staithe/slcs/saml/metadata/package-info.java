/**
 * Who may say who somebody is, and who we are to them: the metadata of SAML 2.0 in both directions,
 * of campuses one by one and of federations.
 */
@NullMarked
package dev.staithe.slcs.saml.metadata;

import org.jspecify.annotations.NullMarked;
