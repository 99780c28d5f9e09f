import { type Problem } from '../../api';
import { Refusal } from '../refusal';
import { type Verdict } from './allowed';
import { type Role } from './role-of';

/** The answer for a project that does not exist, and just the same for one that the caller is not a member of. */
export const noSuchProject = (name: string): Refusal =>
  new Refusal(404, { title: 'No such project', detail: `There is no project ${name} that you are a member of.` });

const notAllowed = (problems: readonly Problem[]): Refusal =>
  new Refusal(403, { title: 'Not allowed', detail: 'Your role in the project does not allow this.', problems });

/** The role of a verdict. Throws a `Refusal`: 404 where the caller may not know of the project, 403 where the role is too little. */
export function roleOrRefusal(verdict: Verdict, project: string): Role {
  if ('role' in verdict) return verdict.role;
  throw 'hidden' in verdict ? noSuchProject(project) : notAllowed(verdict.problems);
}
