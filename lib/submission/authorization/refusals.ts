import { type Problem } from '../../api';
import { ProblemResponse } from '../problem-response';
import { type AuthorizationDecision } from './authorize';
import { type Role } from './role-of';

/** Returns the response for a project that does not exist or that the caller is not a member of. */
export const projectNotFound = (name: string): ProblemResponse =>
  new ProblemResponse(404, {
    title: 'Project not found',
    detail: `Project ${name} does not exist, or you are not a member.`,
  });

const notAllowed = (problems: readonly Problem[]): ProblemResponse =>
  new ProblemResponse(403, { title: 'Not allowed', detail: 'Your role in the project does not allow this.', problems });

/** Returns the role of a decision. Throws a `ProblemResponse`: 404 if the project is hidden, 403 if the action is denied. */
export function requireRole(decision: AuthorizationDecision, project: string): Role {
  if ('role' in decision) return decision.role;
  throw 'hidden' in decision ? projectNotFound(project) : notAllowed(decision.problems);
}
