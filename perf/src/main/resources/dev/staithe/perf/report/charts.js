//<![CDATA[
// Draws what stands beside each <svg> as JSON (Chart.java, StackLines.java) or in its data-range.
'use strict';
(() => {
  // Colours of Okabe and Ito, which differ for colour-blind people; markers and dashes differ as
  // well, so that a print in grey can be read.
  const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#7f7f7f'];
  const MARKERS = ['m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z', 'm-4-4h8v8h-8z', 'm0-5l5 9h-10z',
    'm0-5l5 5l-5 5l-5-5z', 'm0 5l5-9h-10z', 'm-4-4l8 8m0-8l-8 8', 'm-5 0h10m-5-5v10',
    'm-5 0a5 3 0 1 0 10 0a5 3 0 1 0-10 0z'];
  const DASHES = ['none', '9 4', '2 4', '12 4 2 4', '5 3', '16 5', '2 2', '9 3 2 3 2 3'];

  /** A new element of SVG within another. */
  function add(parent, name, attributes, text) {
    const element = document.createElementNS(parent.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return parent.appendChild(element);
  }

  const short = (text, letters) => text.length <= letters ? text : text.slice(0, letters - 1) + '…';
  const at = (x, y) => x.toFixed(1) + ' ' + y.toFixed(1);
  const data = svg => JSON.parse(svg.parentElement.querySelector('script').textContent);

  /**
   * An axis that suits values, drawn from one place to another: in decades where they span more
   * than a factor of twenty. Zero belongs to it where asked: a cut axis makes small differences
   * look large.
   */
  function axis(smallest, largest, zero, from, to) {
    const decades = smallest > 0 && largest / smallest > 20;
    let low = decades ? smallest / 1.2 : zero && smallest >= 0 ? 0 : smallest;
    const room = (largest - low) * 0.05 || Math.max(1e-9, Math.abs(largest) * 0.05);
    const high = decades ? largest * 1.2 : largest + room;
    if (!decades && low !== 0) low -= room;
    const share = value => decades
      ? Math.log(Math.max(value, low / 1e3) / low) / Math.log(high / low)
      : (value - low) / (high - low);
    return {place: value => from + share(value) * (to - from), ticks: ticks(low, high, decades)};
  }

  /** Round values between two. */
  function ticks(low, high, decades) {
    const values = [];
    if (decades) {
      for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++) {
        for (const each of high / low < 1e3 ? [1, 2, 5] : [1]) values.push(each * 10 ** power);
      }
    } else {
      const rough = (high - low) / 6;
      const decade = 10 ** Math.floor(Math.log10(rough));
      const step = decade * (rough <= 2 * decade ? 2 : rough <= 5 * decade ? 5 : 10);
      for (let n = Math.ceil(low / step); n * step <= high; n++) values.push(n * step);
    }
    // Multiplying leaves crumbs in the sixteenth digit.
    return values.filter(value => value >= low && value <= high).map(value => +value.toPrecision(9));
  }

  function plot(svg) {
    const [left, right, top, bottom] = [84, 670, 12, 346];
    const chart = data(svg);
    const points = chart.lines.flatMap(line => line.points);
    const ends = (which, pick) => pick(...points.map(point => point[which]));
    const x = axis(ends(0, Math.min), ends(0, Math.max), false, left, right);
    const y = axis(ends(2, Math.min), ends(3, Math.max), true, bottom, top);
    const label = (text, x, y, anchor) => add(svg, 'text', {x, y, 'text-anchor': anchor}, text);
    const tick = value => value.toLocaleString('en', {maximumFractionDigits: 6});

    svg.setAttribute('viewBox', '0 0 900 400');
    const grid = x.ticks.map(each => 'M' + at(x.place(each), top) + 'V' + bottom)
      .concat(y.ticks.map(each => 'M' + at(left, y.place(each)) + 'H' + right));
    x.ticks.forEach(each => label(tick(each), x.place(each), bottom + 18, 'middle'));
    y.ticks.forEach(each => label(tick(each), left - 8, y.place(each) + 4, 'end'));
    add(svg, 'path', {class: 'grid', d: grid.join('')});
    add(svg, 'path', {class: 'axis', d: `M${left} ${top}V${bottom}H${right}`});
    label(chart.x, (left + right) / 2, 388, 'middle');
    add(svg, 'text', {transform: `translate(16 ${(top + bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle'}, chart.y);

    // What lies beyond the axes is cut off by an <svg> of its own.
    const box = [left, top, right - left, bottom - top];
    const inside = add(svg, 'svg', {x: left, y: top, width: box[2], height: box[3], viewBox: box.join(' ')});
    let row = 0;
    chart.lines.forEach((line, i) => {
      const colour = COLOURS[i % COLOURS.length];
      const stroke = {fill: 'none', stroke: colour, 'stroke-width': 2, 'stroke-dasharray': DASHES[i % DASHES.length]};
      const mark = {fill: colour, stroke: colour, 'stroke-width': 1.5};
      const marker = MARKERS[i % MARKERS.length];
      const legend = (name, marked, dashed) => {
        const height = top + 10 + 20 * row++;
        if (dashed) add(svg, 'path', {d: `M${right + 16} ${height}h36`, ...stroke});
        if (marked) add(svg, 'path', {d: `M${right + 34} ${height}${marker}`, ...mark});
        add(label(short(name, 26), right + 58, height + 4, 'start'), 'title', {}, name);
      };
      const curve = line.curve.length > 0;
      const drawn = curve ? line.curve : line.points;
      const path = drawn.map(point => at(x.place(point[0]), y.place(point[1])));
      add(inside, 'path', {d: 'M' + path.join('L'), ...stroke});
      const marks = line.points.map(([place, value, low, high]) =>
        'M' + at(x.place(place), y.place(value)) + marker
        + (high > low ? 'M' + at(x.place(place), y.place(low)) + 'V' + y.place(high).toFixed(1) : ''));
      add(svg, 'path', {class: 'marks', d: marks.join(''), ...mark});
      legend(line.name, true, !curve);
      if (curve) legend(line.curveName, false, true);
    });
  }

  /** Stacks as a tree: each line begins with so many frames of the line before. */
  function tree(lines) {
    const root = {name: 'all', samples: 0, callees: new Map()};
    let before = [];
    for (const line of lines) {
      const [, shared, rest, samples] = line.match(/^(\d+) (.*) (\d+)$/);
      before = before.slice(0, +shared).concat(rest.split(';'));
      let frame = root;
      frame.samples += +samples;
      for (const name of before) {
        if (!frame.callees.has(name)) frame.callees.set(name, {name, samples: 0, callees: new Map()});
        frame = frame.callees.get(name);
        frame.samples += +samples;
      }
    }
    return root;
  }

  const kind = name => name.startsWith('dev.staithe.') ? 'own'
    : /^(java|javax|jdk|sun)\./.test(name) ? 'jdk' : 'library';

  /** Class and method are what a reader looks for; the package is in the title. */
  const method = name => name.split('.').slice(-2).join('.');

  function flame(svg) {
    const root = tree(data(svg));
    let deepest = 0;
    const draw = (frame, x, depth) => {
      const width = frame.samples / Math.max(1, root.samples) * 1000;
      if (width < 25) return;
      deepest = Math.max(deepest, depth);
      const rect = add(svg, 'rect',
        {class: depth === 0 ? 'all' : kind(frame.name), x, y: depth * 17, width: Math.max(0, width - 0.7)});
      add(rect, 'title', {}, depth === 0 ? `all, ${root.samples} samples`
        : `${frame.name}, ${(100 * frame.samples / root.samples).toFixed(1)} %`);
      const letters = Math.floor((width - 6) / 6.1);
      const name = depth === 0 ? `all, ${root.samples} samples` : method(frame.name);
      if (letters >= 4) add(svg, 'text', {x: x + 3, y: depth * 17 + 12}, short(name, letters));
      for (const callee of [...frame.callees.values()].sort((a, b) => b.samples - a.samples)) {
        draw(callee, x, depth + 1);
        x += callee.samples / root.samples * 1000;
      }
    };
    draw(root, 0, 0);
    svg.setAttribute('viewBox', `0 0 1000 ${(deepest + 1) * 17}`);
  }

  /** A spread with its median and perhaps a limit; what lies beyond the scale is at its edge. */
  function range(svg) {
    const [from, to, log] = svg.closest('[data-scale]').dataset.scale.split(' ');
    const [low, median, high, limit] = svg.dataset.range.split(' ').map(value => {
      const share = log ? Math.log(Math.max(value, from / 10) / from) / Math.log(to / from)
        : (value - from) / (to - from);
      return 6 + Math.min(1, Math.max(0, share)) * 168;
    });
    if (limit !== undefined) add(svg, 'path', {d: `M${limit.toFixed(1)} 1V17`});
    add(svg, 'rect', {x: low.toFixed(1), width: Math.max(1, high - low).toFixed(1)});
    add(svg, 'circle', {cx: median.toFixed(1)});
  }

  document.querySelectorAll('.plot > svg').forEach(plot);
  document.querySelectorAll('.flame > svg').forEach(flame);
  document.querySelectorAll('svg.range').forEach(range);
})();
//]]>
