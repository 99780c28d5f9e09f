import { type ProjectChoices } from '../project-choices';

/** Returns `README.md`. */
export function readmeFile({ project, name, flavor, pinion }: ProjectChoices): string {
  const workload = flavor === 'yaml' ? `\`workloads/${name}.yaml\`` : '`workloads.ts`';
  return `# Workloads of ${project}

Kubernetes workloads of the project \`${project}\`, generated with pinion. Its guides are in
\`node_modules/@pinion-platform/pinion/docs/\`.

    npm ci                # installs pinion, cdk8s, TypeScript and jest, as locked
    npm test              # compares the objects with the snapshot; "npx jest --updateSnapshot" accepts a change
    npm run synth         # writes the objects to dist/

- ${workload} describes ${name}.
- \`pinion.platform.yaml\` describes the cluster and the project. Replace the Platform by that of your cluster.
- \`workloads.test.ts\` compares the objects with \`__snapshots__/\`, so that a review shows what a change does.

To run it on a test cluster, as its administrator:

    npx --no-install pinion render pinion.platform.yaml | kubectl apply -f -
    npm run synth
    kubectl apply -f dist
${
  pinion.file
    ? `
\`${pinion.file.path}\` is the packed library. To update it, replace the file, and run \`npm install ./FILE\`.
`
    : ''
}`;
}
