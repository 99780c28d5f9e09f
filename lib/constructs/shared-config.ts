import { type ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import {
  explainProblem,
  isError,
  isPlainObject,
  nativeKinds,
  sharedDataProblems,
  sharedVariableProblems,
  type Problem,
} from '../api';
import { sharedConfigMap, sharedConfigName, type OnChange } from '../expand';
import { AppContext, withSource } from './app-context';
import { callSite } from './call-site';
import { ManifestApiObject } from './manifest-api-object';
import { type NamedResource } from './plus-values';

/** Props of a `SharedConfig`. */
export interface SharedConfigProps {
  /** Project of the workloads that use it. */
  readonly project: string;
  /** Name, without the hash of a version. @default - the id of the construct */
  readonly name?: string;
  /** Texts by the name of a variable, or of a file. Not for secrets. */
  readonly data: Readonly<Record<string, string>>;
  /**
   * What a change of the data does to pods.
   *
   * `Restart` creates a ConfigMap for each version, and rolls out all workloads that use it. `Refresh` changes one
   * ConfigMap in place: files in running pods change within about a minute, variables when a pod starts.
   * @default Restart
   */
  readonly onChange?: OnChange;
}

/**
 * Configuration that several workloads of a project share: a ConfigMap.
 *
 * Pass it wherever a workload expects the name of a ConfigMap, or use `envFrom`, `volume` and `mountAt`.
 */
export class SharedConfig extends Construct implements NamedResource {
  /** Name of the ConfigMap; of its present version if a change restarts pods. */
  readonly name: string;
  /** Kind of the object that its name refers to. */
  readonly kind = 'ConfigMap';
  /** API version of this kind. */
  readonly apiVersion = nativeKinds.ConfigMap.apiVersion;
  /** Project of the workloads that use it. */
  readonly project: string;
  /** The ConfigMap; empty if there are errors. */
  readonly objects: readonly ApiObject[] = [];
  private readonly title: string;
  private readonly data: Readonly<Record<string, string>>;
  private readonly reportedProblems: Problem[] = [];
  private isCheckedAsVariables = false;

  constructor(scope: Construct, id: string, props: SharedConfigProps) {
    super(scope, id);
    const { name: title = id, project, onChange = 'Restart' } = props;
    this.data = isPlainObject(props.data) ? props.data : {};
    const input = { name: title, data: this.data, onChange };
    this.title = title;
    this.project = project;
    this.name = sharedConfigName(input);
    this.node.addValidation({ validate: () => this.reportedProblems.filter(isError).map(explainProblem) });
    this.report([...nameProblems(title), ...changeProblems(onChange), ...sharedDataProblems(props.data)]);
    if (!AppContext.of(this).reserveName(`ConfigMap ${project}/${this.name}`)) this.report([duplicate(title)]);
    const context = AppContext.of(this).project(project);
    if (!context || this.problems.some(isError)) return;
    this.objects = [new ManifestApiObject(this, 'ConfigMap', sharedConfigMap(input, context))];
    this.node.defaultChild = this.objects[0];
  }

  /** All problems, including warnings; errors stop the synthesis of the app. */
  get problems(): readonly Problem[] {
    return this.reportedProblems;
  }

  /** All data as variables, for `envFrom` of a container. */
  get envFrom(): { readonly configMapRef: { readonly name: SharedConfig } } {
    if (!this.isCheckedAsVariables) this.report(sharedVariableProblems(this.data));
    this.isCheckedAsVariables = true;
    return { configMapRef: { name: this } };
  }

  /** All data as files, for `volumes` of a pod. */
  get volume(): { readonly name: string; readonly configMap: { readonly name: SharedConfig } } {
    return { name: this.title, configMap: { name: this } };
  }

  /** Returns the mount of its volume in a folder, for `volumeMounts` of a container. */
  mountAt(mountPath: string): { readonly name: string; readonly mountPath: string; readonly readOnly: true } {
    return { name: this.title, mountPath, readOnly: true };
  }

  private report(problems: readonly Problem[]): void {
    if (problems.length === 0) return;
    const source = callSite();
    const object = `SharedConfig ${this.project}/${this.title}`;
    this.reportedProblems.push(...problems.map((problem) => ({ ...withSource(problem, source), object })));
  }
}

/** Its name is also that of a volume. */
const nameProblems = (name: string): readonly Problem[] =>
  /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)
    ? []
    : [
        {
          code: 'bad-format',
          path: ['name'],
          value: name,
          reason: 'is not a lower-case DNS label',
          remedy: 'set name to a lower-case DNS label, such as "flags"',
        },
      ];

const changeProblems = (onChange: unknown): readonly Problem[] =>
  onChange === 'Restart' || onChange === 'Refresh'
    ? []
    : [
        {
          code: 'unsupported-value',
          path: ['onChange'],
          value: onChange,
          reason: 'must be Restart or Refresh',
          remedy: 'use Restart or Refresh',
        },
      ];

const duplicate = (value: string): Problem => ({
  code: 'duplicate',
  path: ['name'],
  value,
  reason: 'results in a ConfigMap that another construct of the app also creates',
  remedy: 'set name, or use the same construct',
});
