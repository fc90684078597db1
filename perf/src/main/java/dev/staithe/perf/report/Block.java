package dev.staithe.perf.report;

import java.util.List;

/**
 * Charts and tables below one heading.
 *
 * @param title empty where there is none
 * @param charts those that have lines
 */
record Block(String title, List<Chart> charts, List<Table> tables) {
  Block {
    charts = charts.stream().filter(chart -> !chart.lines().isEmpty()).toList();
  }
}
