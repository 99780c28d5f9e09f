import { type PlatformDocument } from '../../api';
import { type ProjectView } from '../../contract';
import { type Clock } from '../../kube';
import { type Target } from '../targets/target';
import { type Role } from './access';
import { isReady } from './readiness';
import { checkTarget } from './target-check';
import { linksOf } from './workload-view';

/** Projects as their people see them. */
export class ProjectViews {
  constructor(_options: { readonly clock: Clock }) {}

  /** A project on a cluster, to somebody with a role in it. */
  of(target: Target, { metadata: { name }, spec }: PlatformDocument<'Project'>, role: Role): ProjectView {
    const lives = target.workloads(name);
    const used = target.used(name);
    const found = target.world(name);
    const lines =
      'world' in found
        ? checkTarget({
            target: target.name,
            world: found.world,
            resources: [],
            live: lives,
            reserved: {},
            used,
            nodes: target.nodes(),
          }).check.resources
        : [];
    return {
      name,
      target: target.name,
      team: spec.team,
      ...(spec.onCall !== undefined && { onCall: spec.onCall }),
      links: linksOf(spec.links),
      role,
      stages: (spec.stages ?? []).map((stage) => stage.name),
      quota: lines.flatMap(({ resource, hard, taken }) =>
        hard === undefined
          ? []
          : [{ resource, hard, used: used[resource] ?? '0', promised: taken, level: 'ok' as const }],
      ),
      workloads: lives.length,
      notReady: lives.filter((live) => !isReady(live)).length,
    };
  }
}
