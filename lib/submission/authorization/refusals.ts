import { type Problem } from '../../api';
import { ProblemResponse } from '../problem-response';
import { type AuthorizationDecision } from './authorize';
import { type Role } from './role-of';

/** The answer for a project that does not exist, and just the same for one that the caller is not a member of. */
export const noSuchProject = (name: string): ProblemResponse =>
  new ProblemResponse(404, {
    title: 'No such project',
    detail: `There is no project ${name} that you are a member of.`,
  });

const notAllowed = (problems: readonly Problem[]): ProblemResponse =>
  new ProblemResponse(403, { title: 'Not allowed', detail: 'Your role in the project does not allow this.', problems });

/** The role of a verdict. Throws a `Refusal`: 404 where the caller may not know of the project, 403 where the role is too little. */
export function roleOrRefusal(verdict: AuthorizationDecision, project: string): Role {
  if ('role' in verdict) return verdict.role;
  throw 'hidden' in verdict ? noSuchProject(project) : notAllowed(verdict.problems);
}
