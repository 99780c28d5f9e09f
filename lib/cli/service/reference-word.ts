import { operations } from '../../contract';
import { UsageError } from '../command/arguments';

const { artifact: artifactShape, stage: stageShape } = operations.deploy.body.shape;
const { project: projectShape, workflow: workflowShape, version: versionShape } = operations.rollBack.body.shape;

/** A workflow of a project. */
export interface WorkflowName {
  readonly project: string;
  readonly workflow: string;
}

/** The one word of a verb that names something. */
export function onlyPositional([word, ...more]: readonly string[], verb: string, what: string): string {
  if (word === undefined) throw new UsageError(`${verb} needs ${what}`);
  if (more.length > 0)
    throw new UsageError(`${verb} takes one ${what.replace(/^an? /, '')}, not ${more.length + 1} words`);
  return word;
}

/** A published artifact, as PROJECT/WORKFLOW@VERSION; a file is none. */
export function parseArtifactReference(words: readonly string[], verb: string): string {
  const word = onlyPositional(words, verb, 'an artifact: PROJECT/WORKFLOW@VERSION');
  if (artifactShape.safeParse(word).success) return word;
  rejectFile(word, verb);
  if (isWorkflowReference(word))
    throw new UsageError(`${word} lacks its version; write ${word}@VERSION ("pinion versions ${word}" lists them)`);
  throw new UsageError(
    `${JSON.stringify(word)} is no artifact; write PROJECT/WORKFLOW@VERSION, such as shop/cart@1.4.2`,
  );
}

/** A workflow, as PROJECT/WORKFLOW. */
export function parseWorkflowName(words: readonly string[], verb: string): WorkflowName {
  const word = onlyPositional(words, verb, 'a workflow: PROJECT/WORKFLOW');
  const [project = '', workflow = ''] = word.split('/');
  if (isWorkflowReference(word)) return { project, workflow };
  rejectFile(word, verb);
  if (artifactShape.safeParse(word).success) {
    const [name, version] = word.split('@');
    throw new UsageError(
      `${verb} takes a workflow; write ${name}${verb === 'rollback' ? ` --version ${version}` : ''}`,
    );
  }
  throw new UsageError(`${JSON.stringify(word)} is no workflow; write PROJECT/WORKFLOW, such as shop/cart`);
}

/** A deployment, by its name. */
export function parseDeploymentId(words: readonly string[], verb: string): string {
  const word = onlyPositional(words, verb, 'the ID of a deployment');
  if (isDeploymentId(word)) return word;
  throw new UsageError(
    `${JSON.stringify(word)} is no ID of a deployment; "pinion history PROJECT/WORKFLOW" lists them`,
  );
}

/** Whether a word is the name of a deployment. */
export const isDeploymentId = (word: string): boolean => operations.cancel.params.shape.id.safeParse(word).success;

/** The stage that `--to` names. */
export function parseStage(text: string | undefined, verb: string): string {
  if (text === undefined) throw new UsageError(`${verb} needs --to STAGE`);
  if (!stageShape.safeParse(text).success)
    throw new UsageError(`--to takes the name of a stage, not ${JSON.stringify(text)}`);
  return text;
}

/** The version that `--version` names. */
export function parseVersionOption(text: string | undefined): string | undefined {
  if (!versionShape.safeParse(text).success)
    throw new UsageError(`--version takes a version, such as 1.4.1, not ${JSON.stringify(text)}`);
  return text;
}

/** Whether a word names a project. */
export const isProjectName = (word: string): boolean => projectShape.safeParse(word).success;

/** Whether a word names a workflow of a project. */
export function isWorkflowReference(word: string): boolean {
  const [project, workflow, ...more] = word.split('/');
  return more.length === 0 && projectShape.safeParse(project).success && workflowShape.safeParse(workflow).success;
}

/** What looks like a file is told so: only what was published is deployed. */
export function rejectFile(word: string, verb: string): void {
  if (!/^[./~-]|\\|\/$|\.(ya?ml|json|[cm]?[jt]s)$/i.test(word)) return;
  throw new UsageError(
    `${word} is a file or folder; ${verb} takes what was published, and sends no file: "pinion publish --version VERSION ${word}" publishes it, then ${verb} PROJECT/WORKFLOW@VERSION`,
  );
}
