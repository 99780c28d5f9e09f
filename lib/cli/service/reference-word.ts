import { operations } from '../../contract';
import { UsageError } from '../command/usage-error';
import { textType } from '../command/option-value-type';

const { artifact: artifactShape, stage: stageShape } = operations.deploy.body.shape;
const { project: projectShape, workflow: workflowShape, version: versionShape } = operations.rollBack.body.shape;

/** A workflow of a project. */
export interface WorkflowName {
  readonly project: string;
  readonly workflow: string;
}

/** Returns whether an argument is the reference of an artifact, `PROJECT/WORKFLOW@VERSION`. */
export const isArtifactReference = (word: string): boolean => artifactShape.safeParse(word).success;

/** Parses a published artifact, `PROJECT/WORKFLOW@VERSION`. Throws a `UsageError`; files are rejected with a hint. */
export function parseArtifactReference(word: string, command: string): string {
  if (isArtifactReference(word)) return word;
  rejectFile(word, command);
  if (isWorkflowReference(word))
    throw new UsageError(`${word} has no version; use ${word}@VERSION ("pinion versions ${word}" lists them)`);
  throw new UsageError(
    `${JSON.stringify(word)} is not an artifact; use PROJECT/WORKFLOW@VERSION, such as shop/cart@1.4.2`,
  );
}

/** Parses a workflow, `PROJECT/WORKFLOW`. Throws a `UsageError`. */
export function parseWorkflowName(word: string, command: string): WorkflowName {
  const [project = '', workflow = ''] = word.split('/');
  if (isWorkflowReference(word)) return { project, workflow };
  rejectFile(word, command);
  if (artifactShape.safeParse(word).success) {
    const [name, version] = word.split('@');
    throw new UsageError(
      `${command} takes a workflow; use ${name}${command === 'rollback' ? ` --version ${version}` : ''}`,
    );
  }
  throw new UsageError(`${JSON.stringify(word)} is not a workflow; use PROJECT/WORKFLOW, such as shop/cart`);
}

/** Parses the ID of a deployment. Throws a `UsageError`. */
export function parseDeploymentId(word: string): string {
  if (isDeploymentId(word)) return word;
  throw new UsageError(`${JSON.stringify(word)} is not a deployment ID; "pinion history PROJECT/WORKFLOW" lists them`);
}

/** Returns whether an argument is a deployment ID. */
export const isDeploymentId = (word: string): boolean => operations.cancel.params.shape.id.safeParse(word).success;

/** Type of the name of a stage. */
export const stageType = textType('STAGE', 'the name of a stage', (text) => stageShape.safeParse(text).success);

/** Type of a version. */
export const versionType = textType(
  'VERSION',
  'a version, such as 1.4.1',
  (text) => versionShape.safeParse(text).success,
);

/** Returns whether an argument is a valid project name. */
export const isProjectName = (word: string): boolean => projectShape.safeParse(word).success;

/** Returns whether an argument is a workflow reference. */
export function isWorkflowReference(word: string): boolean {
  const [project, workflow, ...more] = word.split('/');
  return more.length === 0 && projectShape.safeParse(project).success && workflowShape.safeParse(workflow).success;
}

/** Throws a `UsageError` for an argument that looks like a file: only published artifacts are deployed. */
export function rejectFile(word: string, command: string): void {
  if (!/^[./~-]|\\|\/$|\.(ya?ml|json|[cm]?[jt]s)$/i.test(word)) return;
  throw new UsageError(
    `${word} is a file or folder, and ${command} takes only published artifacts: publish it with "pinion publish --version VERSION ${word}", then use ${command} PROJECT/WORKFLOW@VERSION`,
  );
}
