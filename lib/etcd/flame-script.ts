/** What the page of a flame graph does: draws, zooms, searches, and goes by keyboard. Plain JavaScript for a browser. */
export const flameScript = `'use strict';
(() => {
  const { root, isCompared } = JSON.parse(document.getElementById('frames').textContent);
  const graph = document.getElementById('graph');
  const detail = document.getElementById('detail');
  const search = document.getElementById('search');
  const found = document.getElementById('found');
  const all = [];
  const number = (frame, parent, depth) => {
    frame.parent = parent;
    frame.depth = depth;
    frame.path = parent ? (parent.parent ? parent.path + ' / ' : '') + frame.n : frame.n;
    all.push(frame);
    for (const child of frame.c) number(child, frame, depth + 1);
    frame.w = frame.c.length > 0 ? frame.c.reduce((sum, child) => sum + child.w, 0) : Math.max(frame.l + frame.h, frame.b || 0);
  };
  number(root, null, 0);
  const bytes = (count) => {
    for (const [size, unit] of [[2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [1024, 'KiB']])
      if (Math.abs(count) >= size) return (count / size).toFixed(1) + ' ' + unit;
    return count + ' B';
  };
  const percent = (part, whole) => (whole > 0 ? (100 * part / whole).toFixed(1) : '0') + ' %';
  const describe = (frame) => {
    const size = frame.l + frame.h;
    const change = isCompared ? '; ' + (size >= frame.b ? '+' : '') + bytes(size - frame.b) + ', was ' + bytes(frame.b) : '';
    return frame.path + ': ' + bytes(size) + ', ' + percent(size, root.l + root.h) + ' of all (' + bytes(frame.l) + ' live, ' + bytes(frame.h) + ' history)' + change;
  };
  const color = (frame) => {
    const size = frame.l + frame.h;
    if (!isCompared) return 'hsl(' + Math.round(150 - 140 * (size ? frame.h / size : 0)) + ' 55% 72%)';
    const change = (size - frame.b) / Math.max(size, frame.b, 1);
    return 'hsl(' + (change > 0 ? 10 : 215) + ' ' + (Math.abs(change) < 0.001 ? 0 : 70) + '% ' + Math.round(94 - 30 * Math.abs(change)) + '%)';
  };
  let zoomed = root;
  let current = root;
  const matches = (frame, word) => word !== '' && frame.n.toLowerCase().includes(word);
  const draw = () => {
    const word = search.value.trim().toLowerCase();
    graph.textContent = '';
    let deepest = 0;
    const place = (frame, left, width) => {
      if (width < 0.04) { frame.element = null; return; }
      deepest = Math.max(deepest, frame.depth);
      const element = document.createElement('div');
      element.className = 'frame' + (word === '' ? '' : matches(frame, word) ? ' match' : ' other');
      element.setAttribute('role', 'treeitem');
      element.setAttribute('aria-level', String(frame.depth + 1));
      element.setAttribute('aria-label', describe(frame));
      if (frame.c.length > 0) element.setAttribute('aria-expanded', 'true');
      element.tabIndex = frame === current ? 0 : -1;
      element.title = describe(frame);
      element.textContent = frame.n;
      element.style.left = left + '%';
      element.style.width = width + '%';
      element.style.top = frame.depth * 22 + 'px';
      element.style.backgroundColor = color(frame);
      element.frame = frame;
      frame.element = element;
      graph.append(element);
      if (frame.depth < zoomed.depth) { place(onWay(frame), 0, 100); return; }
      let at = left;
      for (const child of frame.c) {
        const wide = frame.w > 0 ? width * child.w / frame.w : 0;
        place(child, at, wide);
        at += wide;
      }
    };
    const onWay = (frame) => { let way = zoomed; while (way.parent !== frame) way = way.parent; return way; };
    for (const frame of all) frame.element = null;
    place(root, 0, 100);
    graph.style.height = (deepest + 1) * 22 + 'px';
    detail.textContent = describe(current);
    tell(word);
  };
  const tell = (word) => {
    if (word === '') { found.textContent = ''; return; }
    let size = 0;
    let count = 0;
    const sum = (frame) => {
      if (matches(frame, word)) { size += frame.l + frame.h; count += 1; return; }
      for (const child of frame.c) sum(child);
    };
    sum(root);
    found.textContent = count + ' found, ' + bytes(size) + ', ' + percent(size, root.l + root.h);
  };
  const focus = (frame) => {
    if (!frame || !frame.element) return;
    if (current.element) current.element.tabIndex = -1;
    current = frame;
    frame.element.tabIndex = 0;
    frame.element.focus();
    detail.textContent = describe(frame);
  };
  const zoom = (frame) => { zoomed = frame; current = frame; draw(); focus(frame); };
  const beside = (frame, step) => {
    const siblings = frame.parent ? frame.parent.c : [frame];
    return siblings[siblings.indexOf(frame) + step];
  };
  const frameOf = (event) => event.target.closest ? (event.target.closest('.frame') || {}).frame : undefined;
  graph.addEventListener('click', (event) => { const frame = frameOf(event); if (frame) zoom(frame); });
  graph.addEventListener('pointerover', (event) => { const frame = frameOf(event); if (frame) detail.textContent = describe(frame); });
  graph.addEventListener('pointerleave', () => { detail.textContent = describe(current); });
  graph.addEventListener('keydown', (event) => {
    const frame = frameOf(event);
    if (!frame) return;
    const moves = {
      ArrowUp: () => focus(frame.parent),
      ArrowDown: () => focus(frame.c[0]),
      ArrowLeft: () => focus(beside(frame, -1)),
      ArrowRight: () => focus(beside(frame, 1)),
      Home: () => focus(root),
      Enter: () => zoom(frame),
      ' ': () => zoom(frame),
      Backspace: () => zoom(zoomed.parent || root),
      Escape: () => zoom(root),
    };
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (!move) return;
    event.preventDefault();
    move();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === search) return;
    event.preventDefault();
    search.focus();
  });
  search.addEventListener('input', draw);
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { search.value = ''; draw(); focus(current); }
  });
  document.getElementById('reset').addEventListener('click', () => zoom(root));
  draw();
})();
`;
