import { type SpecInput, type WorkloadKind } from '../../../api';

/** The workload that a new project starts with. */
export interface Starter<K extends WorkloadKind = WorkloadKind> {
  readonly kind: K;
  /** The kind on the command line. */
  readonly word: string;
  /** Default name of the workload. */
  readonly name: string;
  readonly spec: SpecInput<K>;
  /** What its Project needs. @default - nothing */
  readonly project?: Omit<SpecInput<'Project'>, 'team'>;
}

/** Public image that serves HTTP on port 8080 and runs as user 101. */
export const serverImage = 'docker.io/nginxinc/nginx-unprivileged:1.29.1';
/** Public image with a shell. */
export const shellImage = 'docker.io/library/busybox:1.37.0';
