import { messageOf, type ApiResponse } from '../control-plane/api-response';
import { type Client, type SendableObject } from '../control-plane/client';
import { type Cloud, type CreatedResource, type DesiredResource } from './cloud';

/** Default field manager (pulumi-kubernetes generates a name each time). */
const madeUp = 'pulumi-kubernetes-0000';

/**
 * A real API server, called as pulumi-kubernetes does: server-side apply without force, and a dry run for a preview
 * unless
 * the kind or the namespace does not exist yet.
 */
export class RealKubernetes implements Cloud {
  /** `settle` simulates the controllers once an object is stored. */
  constructor(
    private readonly client: Client,
    private readonly settle: (object: SendableObject) => Promise<void>,
  ) {}

  async create({ inputs, preview }: DesiredResource): Promise<CreatedResource> {
    const object = inputs as unknown as SendableObject;
    if (preview && !(await this.#canBeTried(object))) return { id: '', outputs: inputs };
    await this.#apply(object, preview);
    if (preview) return { id: '', outputs: inputs };
    if (object.kind === 'CustomResourceDefinition') await this.client.createCrd(object);
    await this.settle(object);
    return { id: idOf(object), outputs: inputs };
  }

  async update(id: string, { inputs, preview }: DesiredResource): Promise<CreatedResource> {
    await this.#apply(inputs as unknown as SendableObject, preview);
    return { id, outputs: inputs };
  }

  async read(_type: string, id: string, known: CreatedResource['outputs']): Promise<CreatedResource | undefined> {
    const object = known as unknown as SendableObject;
    const path = await this.#pathOf(object);
    if (path === undefined) return undefined;
    const { status } = await this.client.request('GET', path);
    return status === 404 ? undefined : { id, outputs: known };
  }

  async delete(_type: string, _id: string, known: CreatedResource['outputs']): Promise<void> {
    const object = known as unknown as SendableObject;
    const path = await this.#pathOf(object);
    if (path === undefined) return;
    const response = await this.client.request('DELETE', path);
    if (![200, 202, 404].includes(response.status)) throw new Error(rejection(object, response));
  }

  fixed(): readonly string[] {
    return ['apiVersion', 'kind'];
  }

  /** Undefined where its kind does not exist. */
  async #pathOf(object: SendableObject): Promise<string | undefined> {
    return this.client.discovery.objectPath(object).catch(() => undefined);
  }

  async #canBeTried({ apiVersion, kind, metadata: { namespace } }: SendableObject): Promise<boolean> {
    if (!(await this.client.discovery.serves(apiVersion, kind))) return false;
    if (namespace === undefined) return true;
    const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    return (await this.client.get(home)).status === 200;
  }

  async #apply(object: SendableObject, dryRun: boolean): Promise<void> {
    const { annotations } = object.metadata as { readonly annotations?: Readonly<Record<string, string>> };
    const response = await this.client.request('PATCH', await this.client.discovery.objectPath(object), object, {
      dryRun,
      fieldValidation: 'Strict',
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: annotations?.['pulumi.com/patchFieldManager'] ?? madeUp },
    });
    if (![200, 201].includes(response.status)) throw new Error(rejection(object, response));
  }
}

const idOf = ({ metadata: { namespace, name } }: SendableObject): string => [namespace ?? '', name].join('/');
const rejection = (object: SendableObject, response: ApiResponse): string =>
  `${object.kind} ${idOf(object)}: ${response.status} ${messageOf(response)}`;
