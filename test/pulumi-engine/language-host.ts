import { spawn } from 'node:child_process';
import { LanguageRuntimeService } from '@pulumi/pulumi/proto/language_grpc_pb';
import {
  GetRequiredPackagesResponse,
  GetRequiredPluginsResponse,
  LanguageHandshakeResponse,
  RunResponse,
  type LanguageHandshakeRequest,
  type RunRequest,
} from '@pulumi/pulumi/proto/language_pb';
import { PluginInfo } from '@pulumi/pulumi/proto/plugin_pb';
import { GrpcServer } from './grpc-server';

const runner = require.resolve('@pulumi/pulumi/cmd/run');
/** Exit code of the runner after it has reported the error to the engine itself (@pulumi/pulumi/cmd/run). */
const errorReportedCode = 32;

/** Runs programs for the engine as pulumi-language-nodejs does: the SDK's runner in a Node process for each program. */
export function languageHost(): GrpcServer {
  let engine = '';
  return new GrpcServer(LanguageRuntimeService, {
    handshake: (request: LanguageHandshakeRequest) => {
      engine = request.getEngineAddress();
      return Promise.resolve(new LanguageHandshakeResponse());
    },
    getPluginInfo: () => Promise.resolve(new PluginInfo().setVersion('1.0.0')),
    getRequiredPlugins: () => Promise.resolve(new GetRequiredPluginsResponse()),
    getRequiredPackages: () => Promise.resolve(new GetRequiredPackagesResponse()),
    run: async (request: RunRequest) => {
      const { code, output } = await runProgram(request, engine);
      const response = new RunResponse();
      if (code === errorReportedCode) response.setBail(true);
      else if (code !== 0) response.setError(`the program exited with ${code}: ${output}`);
      return response;
    },
  });
}

function runProgram(request: RunRequest, engine: string): Promise<{ readonly code: number; readonly output: string }> {
  const info = request.getInfo();
  const settings = {
    monitor: request.getMonitorAddress(),
    engine,
    organization: request.getOrganization(),
    project: request.getProject(),
    stack: request.getStack(),
    pwd: request.getPwd(),
    parallel: String(request.getParallel()),
    'root-directory': info?.getRootDirectory() ?? request.getPwd(),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const dryRun = request.getDryrun() ? ['--dry-run'] : [];
  const env = {
    ...process.env,
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().getEntryList())),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
  };
  const program = info?.getEntryPoint() ?? request.getProgram();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [runner, ...flags, ...dryRun, program], { env, cwd: request.getPwd() });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
