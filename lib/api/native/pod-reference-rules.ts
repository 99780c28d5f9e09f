import { containersOf } from './container-rules';
import { didYouMean } from './did-you-mean';
import { type NativeCheck } from './overlay';
import { entriesIn, listIn, objectIn } from './rule-forms';

/** Requires that every mount and device refers to a volume of the pod. */
export const mountsNameVolumes: NativeCheck = {
  name: 'mounts-name-volumes',
  check: (pod, report, more) => {
    const volumes = new Map(listIn(pod, 'volumes').map((volume) => [volume['name'], volume]));
    for (const [list, index, container] of containersOf(pod)) {
      for (const field of ['volumeMounts', 'volumeDevices']) {
        if (container[field] === undefined) continue;
        for (const [at, { name }] of entriesIn(container, field)) {
          if (typeof name !== 'string' || name === '' || more.includes(name)) continue;
          const volume = volumes.get(name);
          const path = [list, index, field, at, 'name'];
          if (volume === undefined) {
            const near = didYouMean(name, [...volumes.keys()].map(String));
            report(
              'unknown-reference',
              path,
              'must be the name of a volume of the pod',
              near ? `did you mean ${near}?` : 'add the volume to volumes',
              name,
            );
          } else if (field === 'volumeDevices' && !volume['persistentVolumeClaim'] && !volume['ephemeral']) {
            report(
              'invalid-combination',
              path,
              'must be a persistent volume claim to be a block device',
              'mount it, or use a claim',
              name,
            );
          }
        }
      }
    }
  },
};

/** Requires that variables from files refer to an emptyDir of the pod. */
export const fileVolumes: NativeCheck = {
  name: 'env-files-in-empty-dir',
  check: (pod, report) => {
    for (const [list, index, container] of containersOf(pod)) {
      for (const [at, variable] of entriesIn(container, 'env')) {
        const file = objectIn(objectIn(variable, 'valueFrom'), 'fileKeyRef')['volumeName'];
        if (typeof file !== 'string') continue;
        const volume = listIn(pod, 'volumes').find(({ name }) => name === file);
        const path = [list, index, 'env', at, 'valueFrom', 'fileKeyRef', 'volumeName'];
        if (volume === undefined)
          report(
            'unknown-reference',
            path,
            'must be the name of a volume of the pod',
            'add an emptyDir of this name',
            file,
          );
        else if (volume['emptyDir'] === undefined)
          report('invalid-combination', path, 'must be an emptyDir', 'use an emptyDir', file);
      }
    }
  },
};

/** Requires that claims of containers are claims of the pod. */
export const resourceClaims: NativeCheck = {
  name: 'claims-are-named',
  check: (pod, report) => {
    const names = new Set(listIn(pod, 'resourceClaims').map(({ name }) => name));
    for (const [list, index, container] of containersOf(pod)) {
      for (const [at, { name }] of entriesIn(objectIn(container, 'resources'), 'claims')) {
        if (typeof name !== 'string' || names.has(name)) continue;
        report(
          'unknown-reference',
          [list, index, 'resources', 'claims', at, 'name'],
          'must be the name of a resource claim of the pod',
          'add it to resourceClaims',
          name,
        );
      }
    }
  },
};
