import { type Construct } from 'constructs';
import { type PlatformManifest, type PlatformKind, type Problem } from '../api';
import { type KubernetesObject } from '../expand';
import { callSite } from './call-site';
import { ResourceConstruct, type DocumentProps } from './resource-construct';
import { AppContext } from './app-context';

/** A Project, RuntimeProfile or Platform in the tree of an app: it also tells the rest of the app what the cluster is like. */
export abstract class PlacedPlatformDocument<K extends PlatformKind = PlatformKind> extends ResourceConstruct<K> {
  protected constructor(scope: Construct, id: string, kind: K, props: DocumentProps) {
    super(scope, id, kind, props);
    this.place();
  }

  /** What all constructs of the app share. */
  protected get surroundings(): AppContext {
    return AppContext.of(this);
  }

  /** What the completed document becomes at the native door; undefined where the platform's documents have problems. */
  protected abstract objectsOf(document: PlatformManifest<K>): readonly KubernetesObject[] | undefined;

  protected override meaning(
    document: PlatformManifest<K>,
    report: (problem: Problem) => void,
  ): readonly KubernetesObject[] | undefined {
    this.surroundings.add(document as PlatformManifest, callSite()).forEach(report);
    return this.emit === 'resource' ? [] : this.objectsOf(document);
  }
}
