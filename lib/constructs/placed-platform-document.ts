import { type Construct } from 'constructs';
import { type PlatformDocument, type PlatformKind, type Problem } from '../api';
import { type KubernetesObject } from '../expand';
import { callSite } from './call-site';
import { PlacedDocument, type DocumentProps } from './placed-document';
import { Surroundings } from './surroundings';

/** A Project, RuntimeProfile or Platform in the tree of an app: it also tells the rest of the app what the cluster is like. */
export abstract class PlacedPlatformDocument<K extends PlatformKind = PlatformKind> extends PlacedDocument<K> {
  protected constructor(scope: Construct, id: string, kind: K, props: DocumentProps) {
    super(scope, id, kind, props);
    this.place();
  }

  /** What all constructs of the app share. */
  protected get surroundings(): Surroundings {
    return Surroundings.of(this);
  }

  /** What the completed document becomes at the native door; undefined where the platform's documents have problems. */
  protected abstract objectsOf(document: PlatformDocument<K>): readonly KubernetesObject[] | undefined;

  protected override meaning(
    document: PlatformDocument<K>,
    report: (problem: Problem) => void,
  ): readonly KubernetesObject[] | undefined {
    this.surroundings.add(document as PlatformDocument, callSite()).forEach(report);
    return this.emit === 'resource' ? [] : this.objectsOf(document);
  }
}
