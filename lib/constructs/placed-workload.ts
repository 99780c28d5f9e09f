import { type Construct } from 'constructs';
import { type Completed, type Problem, type Workload, type WorkloadKind } from '../api';
import { examineExpansion, type KubernetesObject } from '../expand';
import { needsController } from '../expand';
import { PlacedDocument, type DocumentProps } from './placed-document';
import { Surroundings } from './surroundings';

/** Props that the constructs of all six workload kinds take beside the fields of their kind. */
export interface WorkloadProps extends DocumentProps {
  /** Project that the workload belongs to; it is the namespace of all that the workload becomes. */
  readonly project: string;
}

/** A workload in the tree of an app. */
export abstract class PlacedWorkload<K extends WorkloadKind = WorkloadKind> extends PlacedDocument<K> {
  protected constructor(scope: Construct, id: string, kind: K, { name, emit, project, ...spec }: WorkloadProps) {
    super(
      scope,
      id,
      kind,
      { ...(name !== undefined && { name }), ...(emit !== undefined && { emit }), namespace: project },
      spec,
    );
    this.place();
  }

  protected override meaning(
    document: Completed<K>,
    report: (problem: Problem) => void,
  ): readonly KubernetesObject[] | undefined {
    const workload = document as unknown as Workload;
    if (this.emit === 'native') needsController(workload).forEach(report);
    const world = Surroundings.of(this).world(workload.metadata.namespace);
    if (!world) return undefined;
    const { objects, problems } = examineExpansion(workload, world);
    problems.forEach(report);
    return objects;
  }
}
