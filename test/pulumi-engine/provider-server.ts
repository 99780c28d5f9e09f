import { ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import {
  CheckFailure,
  CheckResponse,
  ConfigureResponse,
  CreateResponse,
  DiffResponse,
  InvokeResponse,
  ProviderHandshakeResponse,
  ReadResponse,
  UpdateResponse,
  type CheckRequest,
  type ConfigureRequest,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  type InvokeRequest,
  type ReadRequest,
  type UpdateRequest,
} from '@pulumi/pulumi/proto/provider_pb';
import { PluginInfo } from '@pulumi/pulumi/proto/plugin_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Struct, type JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
import { isDeepStrictEqual } from 'node:util';
import { type Cloud, unknownValue, type Values } from './cloud';
import { GrpcServer } from './grpc-server';

const valuesOf = (struct: Struct | undefined): Values => (struct?.toJavaScript() ?? {}) as Values;
/** Drops undefined properties, which a struct cannot hold. */
const structOf = (values: Values): Struct =>
  Struct.fromJavaScript(JSON.parse(JSON.stringify(values)) as Record<string, JavaScriptValue>);
const namesOf = (urn: string) => {
  const [, , types = '', name = ''] = urn.split('::');
  return { type: types.split('$').at(-1) ?? '', name };
};

/** A resource provider plugin in front of a cloud. */
export const providerServer = (cloud: Cloud): GrpcServer => {
  const provider = new Provider(cloud);
  const empty = () => Promise.resolve(new Empty());
  const same = (request: CheckRequest) => Promise.resolve(new CheckResponse().setInputs(request.getNews()));
  return new GrpcServer(ResourceProviderService, {
    handshake: () => Promise.resolve(new ProviderHandshakeResponse()),
    attach: empty,
    cancel: empty,
    getPluginInfo: () => Promise.resolve(new PluginInfo()),
    checkConfig: same,
    diffConfig: (request: DiffRequest) => Promise.resolve(provider.diff(request)),
    configure: async (request: ConfigureRequest) => {
      await cloud.configure?.(valuesOf(request.getArgs()));
      return new ConfigureResponse().setSupportspreview(true);
    },
    check: (request: CheckRequest) => Promise.resolve(provider.check(request)),
    invoke: (request: InvokeRequest) => provider.invoke(request),
    diff: (request: DiffRequest) => Promise.resolve(provider.diff(request)),
    create: (request: CreateRequest) => provider.create(request),
    read: (request: ReadRequest) => provider.read(request),
    update: (request: UpdateRequest) => provider.update(request),
    delete: async (request: DeleteRequest) => {
      await cloud.delete(namesOf(request.getUrn()).type, request.getId(), valuesOf(request.getProperties()));
      return new Empty();
    },
  });
};

class Provider {
  constructor(private readonly cloud: Cloud) {}

  check(request: CheckRequest): CheckResponse {
    const inputs = valuesOf(request.getNews());
    const invalidInputs = this.cloud.invalidInputs?.({ ...namesOf(request.getUrn()), inputs }) ?? [];
    const failures = invalidInputs.map(({ property, reason }) =>
      new CheckFailure().setProperty(property).setReason(reason),
    );
    return new CheckResponse().setInputs(request.getNews()).setFailuresList(failures);
  }

  async invoke(request: InvokeRequest): Promise<InvokeResponse> {
    if (!this.cloud.invoke) throw new Error(`no function ${request.getTok()}`);
    return new InvokeResponse().setReturn(
      structOf(await this.cloud.invoke(request.getTok(), valuesOf(request.getArgs()))),
    );
  }

  diff(request: DiffRequest): DiffResponse {
    const news = valuesOf(request.getNews());
    const olds = valuesOf(request.getOldInputs());
    const ignored = request.getIgnorechangesList();
    const changed = [...new Set([...Object.keys(news), ...Object.keys(olds)])].filter(
      (field) => !ignored.includes(field) && !isDeepStrictEqual(news[field], olds[field]),
    );
    const { type } = namesOf(request.getUrn());
    const fixed = type.startsWith('pulumi:providers:') ? [] : this.cloud.fixed(type);
    const response = new DiffResponse();
    response.setChanges(changed.length > 0 ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE);
    response.setDiffsList(changed);
    response.setReplacesList(changed.filter((field) => fixed.includes(field)));
    return response;
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const preview = request.getPreview();
    const inputs = this.#known(valuesOf(request.getProperties()), preview, request.getUrn());
    const created = await this.cloud.create({ ...namesOf(request.getUrn()), inputs, preview });
    return new CreateResponse().setId(created.id).setProperties(structOf(created.outputs));
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const preview = request.getPreview();
    const inputs = this.#known(valuesOf(request.getNews()), preview, request.getUrn());
    const before = { inputs: valuesOf(request.getOldInputs()), outputs: valuesOf(request.getOlds()) };
    const desired = { ...namesOf(request.getUrn()), inputs, preview };
    const updated = await this.cloud.update(request.getId(), desired, before);
    return new UpdateResponse().setProperties(structOf(updated.outputs));
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    const known = valuesOf(request.getProperties());
    const resource = await this.cloud.read(namesOf(request.getUrn()).type, request.getId(), known);
    if (!resource) return new ReadResponse();
    // Lets a later check detect an input that has changed.
    const inputs = Object.keys(valuesOf(request.getInputs())).map((field) => [field, resource.outputs[field]]);
    return new ReadResponse()
      .setId(resource.id)
      .setProperties(structOf(resource.outputs))
      .setInputs(structOf(Object.fromEntries(inputs) as Values));
  }

  /** A cloud cannot receive unknown values. */
  #known(inputs: Values, preview: boolean, urn: string): Values {
    if (!preview && JSON.stringify(inputs).includes(unknownValue)) throw new Error(`${urn} has unknown inputs`);
    return inputs;
  }
}
