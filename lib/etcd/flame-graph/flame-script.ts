/** Browser script of a flame graph page: rendering, zoom, search and keyboard navigation. Plain JavaScript. */
export const flameScript = `'use strict';
(() => {
  const { root, isCompared, unit, hasHistory } = JSON.parse(document.getElementById('frames').textContent);
  const graph = document.getElementById('graph');
  const detail = document.getElementById('detail');
  const search = document.getElementById('search');
  const found = document.getElementById('found');
  // Iterative, because a stack of a profile can be deeper than that of the browser.
  const all = [];
  const pending = [[root, null, 0]];
  while (pending.length > 0) {
    const [frame, parent, depth] = pending.pop();
    frame.parent = parent;
    frame.depth = depth;
    frame.lower = frame.n.toLowerCase();
    frame.element = null;
    all.push(frame);
    for (const child of frame.c) pending.push([child, frame, depth + 1]);
  }
  for (let at = all.length - 1; at >= 0; at--) {
    const frame = all[at];
    frame.w = frame.c.length > 0 ? frame.c.reduce((sum, child) => sum + child.w, 0) : Math.max(frame.l + frame.h, frame.b || 0);
  }
  const pathOf = (frame) => {
    const names = [];
    for (let one = frame; one.parent; one = one.parent) names.unshift(one.n);
    if (names.length === 0) return frame.n;
    return names.length > 6 ? '… / ' + names.slice(-5).join(' / ') : names.join(' / ');
  };
  const bytes = (count) => {
    for (const [size, unit] of [[2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [1024, 'KiB']])
      if (Math.abs(count) >= size) return (count / size).toFixed(1) + ' ' + unit;
    return count + ' B';
  };
  const seconds = (count) => Math.abs(count) < 1e9 ? (count / 1e6).toFixed(1) + ' ms' : (count / 1e9).toFixed(2) + ' s';
  const amount = unit === 'bytes' ? bytes : unit === 'nanoseconds' ? seconds : (count) => count.toLocaleString('en-US');
  const percent = (part, whole) => (whole > 0 ? (100 * part / whole).toFixed(1) : '0') + ' %';
  const describe = (frame) => {
    const size = frame.l + frame.h;
    const change = isCompared ? '; ' + (size >= frame.b ? '+' : '') + amount(size - frame.b) + ', before: ' + amount(frame.b) : '';
    const parts = hasHistory ? ' (' + amount(frame.l) + ' live, ' + amount(frame.h) + ' history)' : '';
    return pathOf(frame) + ': ' + amount(size) + ', ' + percent(size, root.l + root.h) + ' of total' + parts + change;
  };
  const hash = (text) => {
    let number = 0;
    for (let at = 0; at < text.length; at++) number = (number * 31 + text.charCodeAt(at)) % 9973;
    return number;
  };
  const color = (frame) => {
    const size = frame.l + frame.h;
    if (!isCompared && !hasHistory) return 'hsl(' + (20 + hash(frame.n) % 40) + ' 80% 74%)';
    if (!isCompared) return 'hsl(' + Math.round(150 - 140 * (size ? frame.h / size : 0)) + ' 55% 72%)';
    const change = (size - frame.b) / Math.max(size, frame.b, 1);
    return 'hsl(' + (change > 0 ? 10 : 215) + ' ' + (Math.abs(change) < 0.001 ? 0 : 70) + '% ' + Math.round(94 - 30 * Math.abs(change)) + '%)';
  };
  let zoomed = root;
  let current = root;
  const matches = (frame, word) => word !== '' && frame.lower.includes(word);
  // Matches, the largest first; a frame within a match is not counted again.
  let hits = [];
  const findMatches = (word) => {
    hits = [];
    for (const frame of all) frame.hasMatch = frame.inside = false;
    if (word === '') return;
    const rest = [[root, false]];
    while (rest.length > 0) {
      const [frame, inside] = rest.pop();
      const isHit = matches(frame, word);
      frame.inside = inside || isHit;
      if (isHit && !inside) {
        hits.push(frame);
        for (let up = frame.parent; up && !up.hasMatch; up = up.parent) up.hasMatch = true;
      }
      for (const child of frame.c) rest.push([child, frame.inside]);
    }
    hits.sort((a, b) => b.w - a.w);
  };
  const draw = () => {
    const word = search.value.trim().toLowerCase();
    // Frames narrower than a pixel are not drawn, which limits the number of elements.
    const minWidth = 100 / Math.max(300, graph.clientWidth);
    for (const element of graph.children) element.frame.element = null;
    const fragment = document.createDocumentFragment();
    let deepest = 0;
    const addElement = (frame, left, width) => {
      deepest = Math.max(deepest, frame.depth);
      const element = document.createElement('div');
      element.className = 'frame' + (word === '' || frame.hasMatch ? '' : matches(frame, word) ? ' match' : frame.inside ? '' : ' other');
      element.setAttribute('role', 'treeitem');
      element.setAttribute('aria-level', String(frame.depth + 1));
      if (frame.c.length > 0) element.setAttribute('aria-expanded', 'true');
      element.tabIndex = frame === current ? 0 : -1;
      // Padding would widen a frame that is too narrow for a character.
      if (width < 24 * minWidth) {
        element.className += ' thin';
        element.setAttribute('aria-label', frame.n);
      } else element.textContent = frame.n;
      element.style.left = left + '%';
      element.style.width = width + '%';
      element.style.top = frame.depth * 22 + 'px';
      element.style.backgroundColor = color(frame);
      element.frame = frame;
      frame.element = element;
      fragment.append(element);
    };
    const open = [[root, 0, 100]];
    while (open.length > 0) {
      const [frame, left, width] = open.pop();
      if (width < minWidth) continue;
      addElement(frame, left, width);
      if (frame.depth < zoomed.depth) { open.push([childTowardZoomed(frame), 0, 100]); continue; }
      let end = left + (frame.c.length > 0 ? width : 0);
      for (let index = frame.c.length - 1; index >= 0; index--) {
        const child = frame.c[index];
        const childWidth = frame.w > 0 ? width * child.w / frame.w : 0;
        end -= childWidth;
        open.push([child, end, childWidth]);
      }
    }
    graph.replaceChildren(fragment);
    graph.style.height = (deepest + 1) * 22 + 'px';
    detail.textContent = describe(current);
    showMatches(word);
  };
  const childTowardZoomed = (frame) => { let child = zoomed; while (child.parent !== frame) child = child.parent; return child; };
  const showMatches = (word) => {
    const size = hits.reduce((sum, frame) => sum + frame.l + frame.h, 0);
    const next = hits.length > 0 ? '; press Enter to go to ' + (hits.length > 1 ? 'the next match' : 'it') : '';
    found.textContent = word === '' ? '' : hits.length + (hits.length === 1 ? ' match, ' : ' matches, ') + amount(size) + ', ' + percent(size, root.l + root.h) + next;
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
  const sibling = (frame, step) => {
    const siblings = frame.parent ? frame.parent.c : [frame];
    return siblings[siblings.indexOf(frame) + step];
  };
  const frameOf = (event) => event.target.closest ? (event.target.closest('.frame') || {}).frame : undefined;
  graph.addEventListener('click', (event) => { const frame = frameOf(event); if (frame) zoom(frame); });
  graph.addEventListener('pointerover', (event) => { const frame = frameOf(event); if (!frame) return; detail.textContent = describe(frame); if (frame.element) frame.element.title = detail.textContent; });
  graph.addEventListener('pointerleave', () => { detail.textContent = describe(current); });
  graph.addEventListener('keydown', (event) => {
    const frame = frameOf(event);
    if (!frame) return;
    const moves = {
      ArrowUp: () => focus(frame.parent),
      ArrowDown: () => focus(frame.c[0]),
      ArrowLeft: () => focus(sibling(frame, -1)),
      ArrowRight: () => focus(sibling(frame, 1)),
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
  let nextHit = 0;
  search.addEventListener('input', () => { nextHit = 0; findMatches(search.value.trim().toLowerCase()); draw(); });
  addEventListener('resize', draw);
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { search.value = ''; findMatches(''); draw(); focus(current); }
    // The search field keeps the focus, so that Enter moves to the next match.
    if (event.key === 'Enter' && hits.length > 0) { zoomed = current = hits[nextHit++ % hits.length]; draw(); }
  });
  document.getElementById('reset').addEventListener('click', () => zoom(root));
  draw();
})();
`;
