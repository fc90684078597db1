/** Rules by path and caller before what an area grants, and why a decision is what it is. */
@org.jspecify.annotations.NullMarked
package dev.staithe.storage.policy;
