import { imageNames } from './node-images';

/** Returns the pod template of a test app: a shell script, or a Node program. */
export const appTemplate = (program: { readonly shell: string } | { readonly node: string }) => ({
  spec: {
    securityContext: { runAsUser: 65532, runAsGroup: 65532 },
    containers: [
      {
        name: 'app',
        image: 'shell' in program ? imageNames.busybox : imageNames.node,
        command: 'shell' in program ? ['/bin/sh', '-c', program.shell] : ['/bin/node', '-e', program.node],
        resources: { requests: { cpu: '20m', memory: '48Mi' }, limits: { memory: '96Mi' } },
      },
    ],
  },
});

/** Returns a program that serves HTTP on 8080, and is ready while an expression is true. */
export const webApp = (isReady: string) => `
  process.on('SIGTERM', () => process.exit(0));
  const status = (url) => (url !== '/healthz' || (${isReady}) ? 200 : 503);
  require('node:http').createServer((asked, answer) => answer.writeHead(status(asked.url)).end()).listen(8080);`;
