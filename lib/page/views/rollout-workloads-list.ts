import { type RolloutDetail } from '../../contract';
import { bdi, h, type VNode, type VNodeChild } from '../dom/vnode';
import { relativeTime } from '../elements/time-element';
import { formatCount, kindLabel } from '../format/labels';
import { projectKey } from '../state/inventory';
import { formatRoute } from '../state/route';
import { type State } from '../state/state';

/** Cluster of a rollout, with the prefix of element IDs in its section. */
export interface RolloutPlace {
  readonly target: string;
  readonly id: string;
  readonly state: State;
}

type WorkloadName = Pick<RolloutDetail['transit']['listed'][number], 'project' | 'kind' | 'name'>;

/** Returns workloads that were released and are not ready yet, with their age. */
export const transitList = ({ listed, hidden }: RolloutDetail['transit'], place: RolloutPlace): VNodeChild =>
  workloadList(
    'In transit',
    hidden,
    listed.map((one) => [
      one,
      h(
        'span',
        { class: 'row-side muted' },
        'wave ',
        bdi(one.wave),
        ', released ',
        relativeTime(one.since, place.state.now),
      ),
    ]),
    place,
  );

/** Returns workloads with their messages. */
export const findingList = (
  title: 'Failed' | 'Failed before the rollback' | 'Blocked',
  { listed, hidden }: RolloutDetail['failed'],
  place: RolloutPlace,
): VNodeChild =>
  workloadList(
    title,
    hidden,
    listed.map((one) => [one, h('span', { class: 'row-more' }, bdi(one.message))]),
    place,
  );

function workloadList(
  title: string,
  hidden: number,
  rows: readonly (readonly [WorkloadName, VNode])[],
  { target, id, state }: RolloutPlace,
): VNodeChild {
  if (rows.length === 0 && hidden === 0) return false;
  const titleId = `${id}-${title.toLowerCase().replaceAll(' ', '-')}`;
  return h(
    'section',
    { key: title, 'aria-labelledby': titleId },
    h('h3', { id: titleId }, `${title} (${rows.length + hidden})`),
    rows.length > 0 &&
      h(
        'ul',
        { class: 'rows' },
        rows.map(([workload, more]) =>
          h(
            'li',
            { key: `${workload.kind}/${workload.project}/${workload.name}` },
            h('span', { class: 'row-state muted' }, bdi(workload.project)),
            h('span', { class: 'row-name' }, workloadLink(workload, target, state)),
            more,
          ),
        ),
      ),
    hidden > 0 &&
      h('p', { class: 'muted' }, `${formatCount(hidden, 'workload')} of projects that you are not a member of`),
  );
}

/** Returns a link to the view of a workload, which only members of its project can open. */
function workloadLink({ project, kind, name }: WorkloadName, target: string, { inventory }: State): VNodeChild {
  const isMember = inventory.projects.items.has(projectKey({ name: project, target }));
  const route = { page: 'workload', project, target, kind, name } as const;
  return [
    isMember ? h('a', { href: formatRoute(route) }, bdi(name)) : bdi(name),
    h('span', { class: 'muted' }, ` ${kindLabel(kind)}`),
  ];
}
