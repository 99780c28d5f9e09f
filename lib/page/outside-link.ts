import { type Described, h, written } from './element';

/** The address where it is one of the web, such as a link may lead to; undefined for any other text. */
export function webAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).href;
}

/** A link to an external page; plain text unless it is a web address, because a link may also run a script. */
export function outsideLink(address: string, label = address): Described {
  const href = webAddress(address);
  if (href !== undefined) return h('a', { href, rel: 'noreferrer' }, written(label));
  return h('span', {}, written(label === address ? label : `${label}: ${address}`));
}

/** Links by name; nothing where there are none. */
export function outsideLinks(links: Readonly<Record<string, string>>): Described | undefined {
  const all = Object.entries(links);
  if (all.length === 0) return undefined;
  return h(
    'ul',
    { class: 'links' },
    all.map(([label, target]) => h('li', { key: label }, outsideLink(target, label))),
  );
}
