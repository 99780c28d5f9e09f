import { environmentPrefix, type EnvVar } from '../../api';
import { completionIndexAnnotation } from './job';

const indexVariable = `${environmentPrefix}SHARD_INDEX`;
const countVariable = `${environmentPrefix}SHARD_COUNT`;

/** Returns the variables with the index of a shard and the number of shards; without `index`, it is read from the Indexed Job's annotation. */
export const shardVariables = (count: number, index?: number): EnvVar[] => [
  index === undefined
    ? {
        name: indexVariable,
        valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${completionIndexAnnotation}']` } },
      }
    : { name: indexVariable, value: String(index) },
  { name: countVariable, value: String(count) },
];
