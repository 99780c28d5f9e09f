import { reservedPrefix } from '../names';
import { imageFault } from '../values/image-reference';
import { didYouMean } from './did-you-mean';
import * as forms from './forms';
import { type IssueReporter, type NativeCheck } from './overlay';
import { listIn, objectIn, type Self } from './rule-forms';

// Other texts have a problem of their form.
const spelledImage = new RegExp(forms.imageName.pattern);
const spelledPort = new RegExp(forms.portName.pattern);

/** Reports an image that container runtimes cannot parse. */
function checkImage(image: unknown, field: string, report: IssueReporter): void {
  if (typeof image !== 'string' || !spelledImage.test(image)) return;
  const fault = imageFault(image);
  if (fault) report('bad-format', [field], fault.reason, fault.remedy, image);
}

/** Requires that the image of a container can be parsed. */
export const imageReference: NativeCheck = {
  name: 'image-reference',
  check: ({ image }, report) => checkImage(image, 'image', report),
};

/** Requires that the image of a volume can be parsed. */
export const volumeImageReference: NativeCheck = {
  name: 'image-reference',
  check: ({ reference }, report) => checkImage(reference, 'reference', report),
};

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].map((probe) => [probe]);
const hooks = ['postStart', 'preStop'].map((hook) => ['lifecycle', hook]);
const handlers: readonly (readonly string[])[] = [...probes, ...hooks];
const actions = ['httpGet', 'tcpSocket'];

/**
 * Requires that probes and lifecycle hooks use ports of their container by name.
 *
 * The kubelet looks up the name in the same container only; without it, each probe and hook fails.
 */
export const probePorts: NativeCheck = {
  name: 'probe-port-name',
  check: (container, report) => {
    for (const path of handlers) {
      if (container[path[0] as string] === undefined) continue;
      const handler = path.reduce<Self>(objectIn, container);
      for (const action of actions) {
        const { port } = objectIn(handler, action);
        if (typeof port === 'string' && spelledPort.test(port) && !port.startsWith(reservedPrefix))
          checkPort(port, [...path, action, 'port'], container, report);
      }
    }
  },
};

function checkPort(port: string, path: readonly string[], container: Self, report: IssueReporter): void {
  const names = listIn(container, 'ports').flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  if (names.includes(port)) return;
  const near = didYouMean(port, names);
  const remedy =
    near !== undefined
      ? `did you mean "${near}"?`
      : names.length > 0
        ? `use ${names.join(', ')} or a number, or declare the port in ports`
        : 'declare the port in ports, or use a number';
  report('unknown-reference', path, 'must be the name of a port of this container', remedy, port);
}
