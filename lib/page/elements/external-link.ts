import { bdi, h, type VNode } from '../dom/vnode';

/** Returns the normalized http or https URL in a string; undefined for any other string. */
export function parseWebUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).href;
}

/** Returns a link to an external page; plain text unless it is a web URL, because other schemes can run scripts. */
export function externalLink(address: string, label = address): VNode {
  const href = parseWebUrl(address);
  if (href !== undefined) return h('a', { href, rel: 'noreferrer' }, bdi(label));
  return h('span', {}, bdi(label === address ? label : `${label}: ${address}`));
}

/** Returns a list of links by name; undefined without links. */
export function externalLinks(links: Readonly<Record<string, string>>): VNode | undefined {
  const all = Object.entries(links);
  if (all.length === 0) return undefined;
  return h(
    'ul',
    { class: 'links' },
    all.map(([label, target]) => h('li', { key: label }, externalLink(target, label))),
  );
}
