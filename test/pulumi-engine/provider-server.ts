import { ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import {
  CheckResponse,
  ConfigureResponse,
  CreateResponse,
  DiffResponse,
  ProviderHandshakeResponse,
  ReadResponse,
  UpdateResponse,
  type CheckRequest,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  type ReadRequest,
  type UpdateRequest,
} from '@pulumi/pulumi/proto/provider_pb';
import { PluginInfo } from '@pulumi/pulumi/proto/plugin_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Struct, type JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
import { isDeepStrictEqual } from 'node:util';
import { type Cloud, unknownValue } from './cloud';
import { GrpcServer } from './grpc-server';

type Values = Readonly<Record<string, unknown>>;

const valuesOf = (struct: Struct | undefined): Values => (struct?.toJavaScript() ?? {}) as Values;
const structOf = (values: Values): Struct => Struct.fromJavaScript(values as Record<string, JavaScriptValue>);
const namesOf = (urn: string) => {
  const [, , types = '', name = ''] = urn.split('::');
  return { type: types.split('$').at(-1) ?? '', name };
};

/** A provider as the engine knows them, in front of a cloud. */
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
    diffConfig: () => Promise.resolve(new DiffResponse().setChanges(DiffResponse.DiffChanges.DIFF_NONE)),
    configure: () => Promise.resolve(new ConfigureResponse().setSupportspreview(true)),
    check: same,
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

  diff(request: DiffRequest): DiffResponse {
    const news = valuesOf(request.getNews());
    const olds = valuesOf(request.getOldInputs());
    const ignored = request.getIgnorechangesList();
    const changed = [...new Set([...Object.keys(news), ...Object.keys(olds)])].filter(
      (field) => !ignored.includes(field) && !isDeepStrictEqual(news[field], olds[field]),
    );
    const fixed = this.cloud.fixed(namesOf(request.getUrn()).type);
    const response = new DiffResponse();
    response.setChanges(changed.length > 0 ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE);
    response.setDiffsList(changed);
    response.setReplacesList(changed.filter((field) => fixed.includes(field)));
    return response;
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const preview = request.getPreview();
    const inputs = this.#known(valuesOf(request.getProperties()), preview, request.getUrn());
    const made = await this.cloud.create({ ...namesOf(request.getUrn()), inputs, preview });
    return new CreateResponse().setId(made.id).setProperties(structOf(made.outputs));
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const preview = request.getPreview();
    const inputs = this.#known(valuesOf(request.getNews()), preview, request.getUrn());
    const made = await this.cloud.update(request.getId(), { ...namesOf(request.getUrn()), inputs, preview });
    return new UpdateResponse().setProperties(structOf(made.outputs));
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    const known = valuesOf(request.getProperties());
    const made = await this.cloud.read(namesOf(request.getUrn()).type, request.getId(), known);
    if (!made) return new ReadResponse();
    return new ReadResponse().setId(made.id).setProperties(structOf(made.outputs)).setInputs(request.getInputs());
  }

  /** A cloud cannot be asked for something that nobody knows yet. */
  #known(inputs: Values, preview: boolean, urn: string): Values {
    if (!preview && JSON.stringify(inputs).includes(unknownValue)) throw new Error(`${urn} is made of unknown values`);
    return inputs;
  }
}
