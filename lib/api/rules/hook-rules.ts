import { reservedPrefix } from '../names';
import { imageFault } from '../values/image-reference';
import { entryListAt } from './own-volumes';
import { type ValidationRule } from './validation-rule';

/** Rules across the fields of a hook. */
export const hookRules: readonly ValidationRule[] = [
  {
    name: 'hook-command',
    cel: 'has(self.command) || has(self.args) || has(self.image)',
    fieldPath: ['command'],
    reason: 'is missing, and without command, args or image, the hook would start the app, which does not end',
    remedy: 'set command, args or image',
    code: 'required',
  },
  {
    name: 'hook-name-reserved',
    cel: `!self.name.startsWith("${reservedPrefix}")`,
    fieldPath: ['name'],
    reason: `starts with "${reservedPrefix}", which is reserved for the platform`,
    remedy: 'use another name',
    code: 'platform-owned',
  },
  {
    name: 'hook-image',
    cel: 'true',
    where: 'client',
    reads: ['image'],
    find: ({ image }) => {
      const fault = typeof image === 'string' ? imageFault(image) : undefined;
      return fault ? [{ path: ['image'], value: image, ...fault }] : [];
    },
    reason: 'is not an image reference',
    remedy: 'write it as registry.example.com/shop/cart:1.4.2',
    code: 'bad-format',
  },
];

/** Rules across the hooks and the template of a workload. */
export const hooksRules: readonly ValidationRule[] = [
  {
    name: 'hook-name-taken',
    cel: 'true',
    where: 'client',
    reads: ['beforeDeployment', 'template'],
    find: (self) => {
      const taken = new Set(entryListAt(self, ['template', 'spec', 'initContainers']).map(({ name }) => name));
      return entryListAt(self, ['beforeDeployment']).flatMap(({ name }, index) =>
        taken.has(name) ? [['beforeDeployment', index, 'name']] : [],
      );
    },
    reason: 'is the name of an init container of the template, which runs in the pod of the hook too',
    remedy: 'use another name',
    code: 'duplicate',
  },
];
