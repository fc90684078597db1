package dev.staithe.gateway.pages;

/**
 * What is counted for an endpoint.
 *
 * @param word an outcome, a reason, a kind of trouble or an engine, as the meter's label has it
 */
record EndpointFigures(Kind what, String endpoint, String word) {
  /** The meters of package {@code route}, by name and the label that tells them apart. */
  enum Kind {
    EXCHANGES("staithe.gateway.exchanges", "outcome"),
    REFUSALS("staithe.gateway.refusals", "reason"),
    BACK_END_ERRORS("staithe.gateway.backend.errors", "kind"),
    ENGINES("staithe.gateway.judged", "engine");

    private final String meter;
    private final String label;

    Kind(String meter, String label) {
      this.meter = meter;
      this.label = label;
    }

    String meter() {
      return meter;
    }

    String label() {
      return label;
    }
  }
}
