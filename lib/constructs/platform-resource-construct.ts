import { type Construct } from 'constructs';
import { type PlatformManifest, type PlatformKind, type Problem } from '../api';
import { type KubernetesObject } from '../expand';
import { callSite } from './call-site';
import { ResourceConstruct, type DocumentProps } from './resource-construct';
import { AppContext } from './app-context';

/** A Project, RuntimeProfile or Platform in the tree of an app, used by the other constructs of the app. */
export abstract class PlatformResourceConstruct<K extends PlatformKind = PlatformKind> extends ResourceConstruct<K> {
  protected constructor(scope: Construct, id: string, kind: K, props: DocumentProps) {
    super(scope, id, kind, props);
    this.addObjects();
  }

  /** State shared by all constructs of the app. */
  protected get context(): AppContext {
    return AppContext.of(this);
  }

  /** Expands the parsed manifest to native objects; undefined if the platform manifests have problems. */
  protected abstract objectsOf(document: PlatformManifest<K>): readonly KubernetesObject[] | undefined;

  protected override expandManifest(
    document: PlatformManifest<K>,
    report: (problem: Problem) => void,
  ): readonly KubernetesObject[] | undefined {
    this.context.add(document as PlatformManifest, callSite()).forEach(report);
    return this.emit === 'resource' ? [] : this.objectsOf(document);
  }
}
